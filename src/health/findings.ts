import type { CheckResult } from './Check.ts';

/** What was found of one subject of a check; the message names it and says what to do. */
export type Finding = CheckResult;

/** More subjects than these are only counted. */
const NAMED = 3;
const LONGEST_NAME = 200;

/**
 * What a check says that has looked at several subjects: the worst of them, named. Null entries could not be looked at:
 * unless another one fails, nothing can be told, and null is given. `good` is said when all is well.
 */
export function summarize(findings: readonly (Finding | null)[], good: string): CheckResult | null {
  const known = findings.filter((finding) => finding !== null);
  const of = (status: Finding['status']) =>
    known.filter((finding) => finding.status === status).map(({ message }) => message);
  if (of('fail').length > 0) return { status: 'fail', message: several(of('fail')) };
  if (known.length < findings.length) return null;
  if (of('warn').length > 0) return { status: 'warn', message: several(of('warn')) };
  if (known.length > 0 && of('skip').length === known.length) return { status: 'skip', message: several(of('skip')) };
  return { status: 'pass', message: good };
}

/** Up to three messages, and how many more there are. */
export function several(messages: readonly string[]): string {
  const rest = messages.length - NAMED;
  return [...messages.slice(0, NAMED), ...(rest > 0 ? [`And ${rest} more.`] : [])].join(' ');
}

/** A URL or host as messages name it. */
export function named(subject: string): string {
  return subject.length > LONGEST_NAME ? `${subject.slice(0, LONGEST_NAME)}…` : subject;
}
