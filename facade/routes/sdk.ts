import type { Route } from '../Route.ts';
import { APP_LINK, APP_OPEN } from '../selections.ts';

const tag = 'Apps';

/** The endpoints for apps, with a publishable key: below /v1/sdk. */
export const SDK_ROUTES: Route[] = [
  {
    id: 'recordOpen',
    surface: 'sdk',
    method: 'POST',
    path: '/open',
    tag,
    summary: 'Tell of an opened app',
    description:
      'Gives the link that opened the app (`url`), or with `first_open` the link that led to its install: by the token in ' +
      "Google Play's referrer or the clipboard, else by a click that only this device can have made. `factors` say why. The " +
      "same install's first open within 24 hours gets the first answer. Over a quota the answer is one without a match, " +
      'with `Retry-After`, and nothing is written down.',
    scope: null,
    document: `mutation ($input: RecordOpenInput!) { recordOpen(input: $input) { ${APP_OPEN} } }`,
    overQuota: `query { unmatchedOpen { ${APP_OPEN} } }`,
    counts: 'opening',
    status: 200,
  },
  {
    id: 'resolveUrl',
    surface: 'sdk',
    method: 'POST',
    path: '/resolve',
    tag,
    summary: 'Read the link of a URL',
    description: 'Counts nothing. `link` is null for what is no link of this project, or one that leads nowhere now.',
    scope: null,
    document: `query ($input: ResolveUrlInput!) { resolveUrl(input: $input) { link { ${APP_LINK} } } }`,
    status: 200,
  },
  {
    id: 'recordEvents',
    surface: 'sdk',
    method: 'POST',
    path: '/event',
    tag,
    summary: 'Tell of events in an app',
    description:
      'Up to 100 in `events`, or the fields of one beside `install_id`. An event with an `id` that this install has sent ' +
      'before is a duplicate and changes nothing. Events carry the link that their install came by. `properties` may have ' +
      '2 KiB as JSON. Over a quota nothing of the call is stored.',
    scope: null,
    document: `mutation ($input: RecordEventsInput!) { recordEvents(input: $input) { accepted duplicates } }`,
    counts: 'events',
    status: 202,
  },
];
