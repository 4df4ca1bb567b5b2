import type { Click } from './click.ts';

/**
 * What clicks are counted by ahead of the question. The key of what is not known is the empty text: no dimension has an
 * empty value. `none` counts all clicks of a project under one key. `column`: the column of `clicks` that says the same.
 * `ofVisitor`: follows from address and agent, so that it is one value for a visitor unless our own data change that day.
 */
export const DIMENSIONS = {
  none: { column: null, ofVisitor: true, keyOf: () => '' },
  country: { column: 'country', ofVisitor: true, keyOf: (click) => click.country ?? '' },
  device: { column: 'device', ofVisitor: true, keyOf: (click) => click.device },
  browser: { column: 'browser', ofVisitor: true, keyOf: (click) => click.browser ?? '' },
  platform: { column: 'platform', ofVisitor: true, keyOf: (click) => click.platform },
  referrer_host: { column: 'referrer_host', ofVisitor: false, keyOf: (click) => click.referrerHost ?? '' },
  link: { column: 'link_id', ofVisitor: false, keyOf: (click) => click.linkId },
} as const satisfies Record<string, { column: string | null; ofVisitor: boolean; keyOf(click: Click): string }>;

export type Dimension = keyof typeof DIMENSIONS;

/** Names and rows of the table, for loops. */
export const dimensions = Object.entries(DIMENSIONS) as [Dimension, (typeof DIMENSIONS)[Dimension]][];
