import { addressProblem, literalAddress } from '../kernel/publicAddress.ts';
import { specialNameProblem } from '../kernel/specialName.ts';
import type { ScanContext } from './checks.ts';
import type { Target } from './target.ts';

/** Hosts that visitors cannot reach, or reach somebody else's machine by. `allowPrivate` never lifts metadata. */
export function privateHostProblem(
  { host }: Pick<Target, 'host'>,
  { allowPrivate }: Pick<ScanContext, 'allowPrivate'>,
): string | null {
  const literal = literalAddress(host);
  return literal
    ? addressProblem(literal, { allowPrivate, isWritten: true })
    : specialNameProblem(host, { allowPrivate, byVisitors: true });
}
