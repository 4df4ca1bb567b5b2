import { isLoopback, literalAddress } from '../kernel/publicAddress.ts';
import type { CheckFacts } from '../models/HealthCheck.ts';
import { describeFailure, type ProbeFailure } from '../net/probe.ts';

/** The result of one run of a check. */
export type CheckResult = Pick<CheckFacts, 'status' | 'message'>;

/** The result for one subject of a check, such as a URL. The message names it and says what to do. */
export type Finding = CheckResult;

/** Of several messages, this many are shown; the others are counted. */
const MAX_MESSAGES = 3;
const MAX_NAME_CHARACTERS = 200;

/**
 * Combines the findings of a check: the worst status, with the messages of its subjects. A null finding could not be
 * determined; unless another one fails, the result is then null too. `good` is the message if everything passes.
 */
export function summarize(findings: readonly (Finding | null)[], good: string): CheckResult | null {
  const known = findings.filter((finding) => finding !== null);
  const messagesOf = (status: Finding['status']) =>
    known.filter((finding) => finding.status === status).map(({ message }) => message);
  if (messagesOf('fail').length > 0) return { status: 'fail', message: firstFew(messagesOf('fail')) };
  if (known.length < findings.length) return null;
  if (messagesOf('warn').length > 0) return { status: 'warn', message: firstFew(messagesOf('warn')) };
  if (known.length > 0 && messagesOf('skip').length === known.length)
    return { status: 'skip', message: firstFew(messagesOf('skip')) };
  return { status: 'pass', message: good };
}

/** Up to three messages, and the number of further ones. */
export function firstFew(messages: readonly string[]): string {
  const rest = messages.length - MAX_MESSAGES;
  return [...messages.slice(0, MAX_MESSAGES), ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ');
}

/** A URL or host, cut to a length that fits into a message. */
export function shortened(subject: string): string {
  return subject.length > MAX_NAME_CHARACTERS ? `${subject.slice(0, MAX_NAME_CHARACTERS)}…` : subject;
}

/**
 * The finding for a host that should point to this service but does not respond. A private address is only a warning: it
 * may be correct for visitors inside that network, and this service must not probe it.
 */
export function unreachable(url: string, failure: ProbeFailure, advice: string): Finding {
  const { host } = new URL(url);
  const what = `${shortened(url)} cannot be reached: ${describeFailure(failure)}.`;
  if (isOwnMachine(host))
    return { status: 'skip', message: `${host} is this machine, so it cannot be checked from here.` };
  if (failure.problem === 'blocked_address') {
    return {
      status: 'warn',
      message: `${what} Set ALLOW_PRIVATE_TARGETS=true if it is meant for a private network only.`,
    };
  }
  return { status: 'fail', message: `${what} ${advice}` };
}

/** Whether a host name or address stands for this machine, as in trial installations. */
function isOwnMachine(host: string): boolean {
  const { hostname } = new URL(`http://${host}`);
  const literal = literalAddress(hostname);
  if (literal !== null) return isLoopback(literal);
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}
