import type { ProbeAnswer, ProbeFailure } from '../net/probe.ts';
import type { Asking } from './Asking.ts';

const REDIRECTS = 3;

/** A GET finds these the same as a HEAD does. */
const SAME_FOR_GET = ['dns', 'connect', 'tls', 'blocked_address', 'too_many_redirects', 'bad_redirect'];

/**
 * Whether a page of the web answers, three redirects followed at most: by HEAD, and by GET where that is refused or
 * fails, for many sites do not know HEAD. Null when time was up before.
 */
export async function askPage(url: string, asking: Asking): Promise<ProbeAnswer | ProbeFailure | null> {
  const head = await asking.ask(url, { method: 'HEAD', maxRedirects: REDIRECTS, timeoutMs: asking.timeoutMs / 2 });
  if (head === null) return null;
  const isClear = 'problem' in head ? SAME_FOR_GET.includes(head.problem) : head.status < 400;
  return isClear ? head : asking.ask(url, { method: 'GET', maxRedirects: REDIRECTS, maxBytes: 1 });
}
