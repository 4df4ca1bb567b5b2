import type { ProbeFailure } from '../net/probe.ts';
import { problemText } from '../net/problemText.ts';
import { type Finding, named } from './findings.ts';
import { isOwnMachine } from './ownMachine.ts';

/**
 * What a host of ours that gives no answer means. An address inside a network may be right for those who are inside: it is
 * only that this service must not ask it.
 */
export function unreachable(url: string, failure: ProbeFailure, advice: string): Finding {
  const { host } = new URL(url);
  const what = `${named(url)} cannot be reached: ${problemText(failure)}.`;
  if (isOwnMachine(host)) return { status: 'skip', message: `${host} is this machine, and cannot be asked from here.` };
  if (failure.problem === 'blocked_address') {
    return { status: 'warn', message: `${what} Set ALLOW_PRIVATE_TARGETS if it is meant for that network alone.` };
  }
  return { status: 'fail', message: `${what} ${advice}` };
}
