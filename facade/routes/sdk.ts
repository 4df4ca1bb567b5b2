import type { Route } from './Route.ts';
import { APP_LINK, APP_OPEN } from './selections.ts';

const tag = 'Apps';

/** The endpoints for apps, with a publishable key: below /v1/sdk. */
export const SDK_ROUTES: Route[] = [
  {
    id: 'recordOpen',
    call: 'sdk.open',
    api: 'sdk',
    method: 'POST',
    path: '/open',
    tag,
    summary: 'Record the opening of an app',
    description:
      'Returns the link that opened the app (`url`). With `first_open`, returns the link that led to the install: by ' +
      "the token from Google Play's referrer or the clipboard, otherwise by a click that only this device can have " +
      'made. `factors` says why. Repeated first opens of an install within 24 hours get the same response. Over a ' +
      'quota, the response has no match and a `Retry-After` header, and nothing is stored.',
    scope: null,
    document: `mutation ($input: RecordOpenInput!) { recordOpen(input: $input) { ${APP_OPEN} } }`,
    overQuota: `query { unmatchedOpen { ${APP_OPEN} } }`,
    counts: 'opening',
    status: 200,
  },
  {
    id: 'resolveUrl',
    call: 'sdk.resolve',
    api: 'sdk',
    method: 'POST',
    path: '/resolve',
    tag,
    summary: 'Resolve a URL to its link',
    description:
      'Does not count as a click. `link` is null if the URL is not a link of this project, or if the link currently ' +
      'leads nowhere.',
    scope: null,
    document: `query ($input: ResolveUrlInput!) { resolveUrl(input: $input) { link { ${APP_LINK} } } }`,
    status: 200,
  },
  {
    id: 'recordEvents',
    call: 'sdk.events',
    api: 'sdk',
    method: 'POST',
    path: '/event',
    tag,
    summary: 'Record events of an app',
    description:
      'Up to 100 in `events`, or the fields of a single event next to `install_id`. An event with an `id` that this ' +
      'install has already sent is a duplicate and changes nothing. Events are attributed to the link that led to the ' +
      'install. `properties` is limited to 2 KiB of JSON. Over a quota, nothing in the request is stored.',
    scope: null,
    document: `mutation ($input: RecordEventsInput!) { recordEvents(input: $input) { accepted duplicates } }`,
    counts: 'events',
    status: 202,
  },
];
