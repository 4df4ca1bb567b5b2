import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';
import { TAKEN_FOR } from './confusableLetters.ts';

/** `example.co.uk` of `www.example.co.uk`; null for addresses and names without a public suffix, such as localhost. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false });
}

/** What a hasty reader sees in a name: two that read the same are taken for each other. */
export function readingOf(name: string): string {
  const latin = name.includes('xn--') ? latinOf(domainToUnicode(name)) : name;
  return /0|1|rn|vv/.test(latin)
    ? latin.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
    : latin;
}

/** A name in the Latin letters that it is taken for, without accents. */
export function latinOf(name: string): string {
  return [...name.normalize('NFD').replace(/\p{M}/gu, '')].map((letter) => TAKEN_FOR.get(letter) ?? letter).join('');
}
