/**
 * Names that the public DNS will never know, and why; those below them are meant too. From the IANA registry of
 * Special-Use Domain Names, but for `.internal`, which ICANN set aside, and `.localdomain`, which systems make up.
 * `example.com` and its like are real names.
 */
const NOT_PUBLIC: [name: string, reason: string][] = [
  ['localhost', 'is this machine'],
  ['localdomain', 'is this machine'],
  ['local', 'is only known inside a network'],
  ['internal', 'is only known inside a network'],
  ['home.arpa', 'is only known inside a network'],
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

/**
 * Why no request may go to the host of this name, for people to read; null when nothing speaks against it before DNS is
 * asked. `allowPrivate` lifts all but the names of metadata services.
 */
export function specialNameProblem(hostname: string, { allowPrivate }: { allowPrivate: boolean }): string | null {
  if (METADATA.includes(hostname)) return `${hostname} is the name of a cloud metadata service.`;
  if (allowPrivate) return null;
  const found = NOT_PUBLIC.find(([name]) => hostname === name || hostname.endsWith(`.${name}`));
  if (found)
    return hostname === found[0] ? `${hostname} ${found[1]}.` : `${hostname} ends in .${found[0]}, which ${found[1]}.`;
  return hostname.includes('.') ? null : `${hostname} is no full host name such as hooks.example.com.`;
}
