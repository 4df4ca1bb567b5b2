import type { Click } from './click.ts';

/**
 * What clicks are counted by ahead of the question; `column` of `clicks` says the same. The key of what is not known is
 * the empty text, for no dimension has an empty value. `none` counts all clicks of a project under one key.
 * New entries go to the end: click_day_visitors stores keys in this order.
 */
export const DIMENSIONS = {
  none: { column: null, keyOf: () => '' },
  country: { column: 'country', keyOf: (click) => click.country ?? '' },
  device: { column: 'device', keyOf: (click) => click.device },
  browser: { column: 'browser', keyOf: (click) => click.browser ?? '' },
  platform: { column: 'platform', keyOf: (click) => click.platform },
  referrer_host: { column: 'referrer_host', keyOf: (click) => click.referrerHost ?? '' },
  link: { column: 'link_id', keyOf: (click) => click.linkId },
} as const satisfies Record<string, { column: string | null; keyOf(click: Click): string }>;

export type Dimension = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[];

/** The click's key in each dimension, in the order of the table. */
export function keysOf(click: Click): string[] {
  return DIMENSION_NAMES.map((name) => DIMENSIONS[name].keyOf(click));
}
