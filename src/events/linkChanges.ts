import { isDeepStrictEqual } from 'node:util';
import type { PresentedLink } from './presentLink.ts';

/** Fields that move by themselves, follow from others, or never change. */
const NOT_CHANGES = ['id', 'project_id', 'created_at', 'updated_at', 'clicks', 'last_clicked_at'] as const;
/** A change of these alone is no news for receivers. */
const QUIET = ['title', 'notes', 'external_id'] as const satisfies (keyof LinkChanges)[];

/** What is different in a link, as webhooks show it. */
export type LinkChanges = {
  [Field in Exclude<keyof PresentedLink, (typeof NOT_CHANGES)[number]>]?: {
    from: PresentedLink[Field];
    to: PresentedLink[Field];
  };
};

const notChanges = new Set<string>(NOT_CHANGES);
const quiet = new Set<string>(QUIET);

/** What differs between two presentations of a link. */
export function changesBetween(before: PresentedLink, after: PresentedLink): LinkChanges {
  const fields = (Object.keys(before) as (keyof PresentedLink)[]).filter(
    (field) => !notChanges.has(field) && !isDeepStrictEqual(before[field], after[field]),
  );
  return Object.fromEntries(fields.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** Whether `link.updated` is sent for these changes. */
export function isWorthTelling(changes: LinkChanges): boolean {
  return Object.keys(changes).some((field) => !quiet.has(field));
}
