import type { OpenDetails } from './types.ts';

/** Longer ones are no link of ours, and would not fit into a request. */
const MAX_CLIPBOARD = 8192;

/**
 * What is said of an opening, as it is sent. What was not told is left out, so that it takes nothing away from what was
 * told before; and so is a clipboard without a token of ours, which is nobody's business.
 */
export function openingOf(url: string | null | undefined, details: OpenDetails): object {
  const { installReferrer, referrerClickAt, installBeginAt, clipboard } = details;
  const opening = {
    url,
    install_referrer: installReferrer,
    referrer_click_at: referrerClickAt,
    install_begin_at: installBeginAt,
    clipboard: clipboard && clipboard.length <= MAX_CLIPBOARD && /svc_click/i.test(clipboard) ? clipboard : null,
  };
  return JSON.parse(JSON.stringify(opening, (_, value) => value || undefined));
}
