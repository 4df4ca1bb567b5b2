import type { ProbeFailure } from './probe.ts';

/** What happened, as it ends "https://… cannot be reached: …". */
const TEXTS: Record<ProbeFailure['problem'], string> = {
  dns: 'its host name has no address',
  connect: 'nothing answers at its address',
  tls: 'its certificate or encryption is not accepted',
  timeout: 'it does not answer in time',
  reset: 'it breaks the connection off',
  blocked_address: 'its address is inside a network',
  bad_response: 'what it answers is not HTTP',
  too_many_redirects: 'it redirects too often',
  bad_redirect: 'it redirects to what is no web address',
};

/** What went wrong, for people to read; in brackets what the system says of it. */
export function problemText({ problem, detail }: ProbeFailure): string {
  return `${TEXTS[problem]} (${detail})`;
}
