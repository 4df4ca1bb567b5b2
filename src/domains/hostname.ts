import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { config } from '../kernel/config.ts';
import { baseHost, sdkHost } from '../kernel/origins.ts';
import { literalAddress, specialNameProblem } from '../kernel/publicAddress.ts';
import { linkTarget } from './ownAddresses.ts';

/** The name of the TXT record is 15 characters longer, and DNS allows 253. */
const MAX_LENGTH = 238;

const EXAMPLE = 'Enter only the host name, such as go.example.com';
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** Common mistakes, and what to write instead. */
const MISTAKEN: [pattern: RegExp, problem: string][] = [
  [/^\s*$/, `${EXAMPLE}.`],
  [/:\/\//, `${EXAMPLE}, without http:// or https://.`],
  [/[/?#\\]/, `${EXAMPLE}, without a path.`],
  [/@/, `${EXAMPLE}, without a user name.`],
  [/\*/, `${EXAMPLE}: wildcards are not supported, add each name separately.`],
  [/\s/, `${EXAMPLE}, without spaces.`],
];

/**
 * Returns the host name in canonical form (lower case, punycode, no trailing dot), or what is wrong with it, as a sentence
 * that says what to write.
 */
export function readHostname(text: string): { hostname: string } | { problem: string } {
  const mistaken = MISTAKEN.find(([pattern]) => pattern.test(text));
  if (mistaken) return { problem: mistaken[1] };
  if (isAddress(text)) return { problem: `${EXAMPLE}: an IP address cannot be a domain.` };
  if (text.includes(':')) return { problem: `${EXAMPLE}, without a port.` };
  const hostname = domainToASCII(text).replace(/\.$/, '');
  const problem = formProblem(hostname) ?? meaningProblem(hostname);
  return problem ? { problem } : { hostname };
}

/** Includes what browsers read as an address: 127.1, 0x7f000001. */
function isAddress(text: string): boolean {
  if (literalAddress(text)) return true;
  const url = URL.parse(`http://${text}`);
  return url !== null && literalAddress(url.hostname) !== null;
}

function formProblem(hostname: string): string | null {
  if (hostname === '') return 'Must be a host name of letters, digits, hyphens and dots.';
  if (hostname.length > MAX_LENGTH) return `Must have at most ${MAX_LENGTH} characters.`;
  const bad = hostname.split('.').find((label) => !LABEL.test(label));
  if (bad === undefined) return null;
  return `"${bad}" is not valid in a host name: each part has 1 to 63 letters, digits and hyphens, and no hyphen at either end.`;
}

function meaningProblem(hostname: string): string | null {
  if (!hostname.includes('.')) return `"${hostname}" is not a full host name such as go.example.com.`;
  const special = specialNameProblem(hostname, { allowPrivate: config.allowPrivateTargets });
  if (special) return special;
  if (getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname) {
    return `${hostname} is a public suffix. Enter a name of your own below it.`;
  }
  return isOwnHost(hostname) ? `${hostname} belongs to this service. Enter a host name of your own.` : null;
}

function isOwnHost(hostname: string): boolean {
  const hosts = [baseHost(), sdkHost(), config.linkDomain, linkTarget()];
  return hosts.some((host) => host !== null && new URL(`http://${host}`).hostname === hostname);
}
