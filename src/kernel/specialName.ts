/** Names that the public DNS will never know, and why; those below them are meant too. */
type Rows = [name: string, reason: string][];

/** Those that only mean something inside a machine or a network (RFC 6761, 6762, 8375; ICANN set `.internal` aside). */
const INSIDE: Rows = [
  ['localhost', 'is this machine'],
  ['localdomain', 'is this machine'],
  ['local', 'is only known inside a network'],
  ['internal', 'is only known inside a network'],
  ['home.arpa', 'is only known inside a network'],
];

/** The others of the IANA registry of Special-Use Domain Names. `example.com` and its like are real names. */
const NOT_IN_DNS: Rows = [
  ['onion', 'is only known inside Tor'],
  ['alt', 'is only known outside the DNS'],
  ['test', 'is reserved for tests'],
  ['example', 'is reserved for documentation'],
  ['invalid', 'is reserved for names that do not exist'],
];

/** What clouds call their metadata services (Google, AWS). */
const METADATA = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
];

interface SpecialNameOptions {
  /** Lifts all but the names of metadata services. */
  allowPrivate: boolean;
  /** Who is sent there need not ask the public DNS: a browser may know more names. */
  byVisitors?: boolean;
}

/**
 * Why nobody may be sent to the host of this name, for people to read; null when nothing speaks against it before DNS is
 * asked.
 */
export function specialNameProblem(
  hostname: string,
  { allowPrivate, byVisitors = false }: SpecialNameOptions,
): string | null {
  if (METADATA.includes(hostname)) return `${hostname} is the name of a cloud metadata service.`;
  if (allowPrivate) return null;
  const names = byVisitors ? INSIDE : [...INSIDE, ...NOT_IN_DNS];
  const found = names.find(([name]) => hostname === name || hostname.endsWith(`.${name}`));
  if (found)
    return hostname === found[0] ? `${hostname} ${found[1]}.` : `${hostname} ends in .${found[0]}, which ${found[1]}.`;
  return hostname.includes('.') ? null : `${hostname} is no full host name such as www.example.com.`;
}
