import { addressProblem, literalAddress } from '../kernel/publicAddress.ts';
import type { ScanContext } from './checks.ts';
import type { Target } from './target.ts';

/** Names that only mean something inside a machine or a network (RFC 6761, 6762, 8375; ICANN set `.internal` aside). */
const INSIDE_NAMES = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'];

/** What clouds call their metadata services (Google, AWS). */
const METADATA_NAMES = ['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data.ec2.internal'];

/** Hosts that visitors cannot reach, or reach somebody else's machine by. `allowPrivate` never lifts metadata. */
export function privateHostProblem(
  { host }: Pick<Target, 'host'>,
  { allowPrivate }: Pick<ScanContext, 'allowPrivate'>,
): string | null {
  const literal = literalAddress(host);
  if (literal) return addressProblem(literal, { allowPrivate });
  if (METADATA_NAMES.includes(host)) return `${host} is the name of a cloud metadata service.`;
  if (allowPrivate) return null;
  if (!host.includes('.')) return `${host} is no full host name such as www.example.com.`;
  if (INSIDE_NAMES.some((name) => host.endsWith(`.${name}`))) return `${host} is only known inside a network.`;
  return null;
}
