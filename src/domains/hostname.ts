import { domainToASCII } from 'node:url';
import { getPublicSuffix } from 'tldts';
import { config } from '../kernel/config.ts';
import { baseHost, sdkHost } from '../kernel/origins.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { specialNameProblem } from '../kernel/specialName.ts';
import { linkTarget } from './ownAddresses.ts';

/** The name of the TXT record has 15 characters more, and DNS ends at 253. */
const MAX_LENGTH = 238;

const EXAMPLE = 'Write the host name alone, such as go.example.com';
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/** What is often written in place of a host name, and what is said of it. */
const MISTAKEN: [pattern: RegExp, problem: string][] = [
  [/^\s*$/, `${EXAMPLE}.`],
  [/:\/\//, `${EXAMPLE}, without http:// or https://.`],
  [/[/?#\\]/, `${EXAMPLE}, without a path.`],
  [/@/, `${EXAMPLE}, without a user name.`],
  [/\*/, `${EXAMPLE}: a wildcard stands for many names, and each is added by itself.`],
  [/\s/, `${EXAMPLE}, without spaces.`],
];

/**
 * The host name in its one form (lower case, punycode, no trailing dot), or what is wrong with it, as a sentence that
 * tells what to write.
 */
export function readHostname(text: string): { hostname: string } | { problem: string } {
  const mistaken = MISTAKEN.find(([pattern]) => pattern.test(text));
  if (mistaken) return { problem: mistaken[1] };
  if (isAddress(text)) return { problem: `${EXAMPLE}: an address cannot be a domain.` };
  if (text.includes(':')) return { problem: `${EXAMPLE}, without a port.` };
  const hostname = domainToASCII(text).replace(/\.$/, '');
  const problem = formProblem(hostname) ?? meaningProblem(hostname);
  return problem ? { problem } : { hostname };
}

/** Also what browsers take for an address: 127.1, 0x7f000001. */
function isAddress(text: string): boolean {
  if (literalAddress(text)) return true;
  const url = URL.parse(`http://${text}`);
  return url !== null && literalAddress(url.hostname) !== null;
}

function formProblem(hostname: string): string | null {
  if (hostname === '') return 'Is no host name: it may have letters, digits, hyphens and dots.';
  if (hostname.length > MAX_LENGTH) return `Must have at most ${MAX_LENGTH} characters.`;
  const bad = hostname.split('.').find((label) => !LABEL.test(label));
  if (bad === undefined) return null;
  return `"${bad}" is no part of a host name: it has 1 to 63 letters, digits and hyphens, none of these at an end.`;
}

function meaningProblem(hostname: string): string | null {
  if (!hostname.includes('.')) return `"${hostname}" is no full host name such as go.example.com.`;
  const special = specialNameProblem(hostname, { allowPrivate: config.allowPrivateTargets });
  if (special) return special;
  if (getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname) {
    return `${hostname} is an ending under which everybody has names. Write a name of your own below it.`;
  }
  return isOwnHost(hostname) ? `${hostname} belongs to this service itself. Write a host name of your own.` : null;
}

function isOwnHost(hostname: string): boolean {
  const hosts = [baseHost(), sdkHost(), config.linkDomain, linkTarget()];
  return hosts.some((host) => host !== null && new URL(`http://${host}`).hostname === hostname);
}
