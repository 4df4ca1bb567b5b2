import { domainToUnicode } from 'node:url';
import { getDomain } from 'tldts';

/** `example.co.uk` of `www.example.co.uk`; null for addresses and names without a public suffix, such as localhost. */
export function registrableDomain(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true, validateHostname: false });
}

/** The skeleton of a name, after UTS #39: two names with the same skeleton are easily confused. */
export function skeletonOf(name: string): string {
  const latin = name.includes('xn--') ? toLatin(domainToUnicode(name)) : name;
  return /0|1|rn|vv/.test(latin)
    ? latin.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('rn', 'm').replaceAll('vv', 'w')
    : latin;
}

/** A name in the Latin letters that it resembles, without accents. */
export function toLatin(name: string): string {
  return [...name.normalize('NFD').replace(/\p{M}/gu, '')].map((letter) => PROTOTYPES.get(letter) ?? letter).join('');
}

/** Letters of one script that look like Latin letters. */
interface Confusable {
  script: string;
  /** Country domains under which names in this script are common. */
  usualUnder: string[];
  /** Letter of the script → its Latin look-alike. */
  letters: Record<string, string>;
}

/**
 * From confusables.txt of UTS #39, only the letters that readers cannot distinguish from lower-case Latin letters in
 * common fonts: more letters would refuse names that are not confusable.
 */
export const CONFUSABLE_SCRIPTS: Confusable[] = [
  {
    script: 'Cyrillic',
    usualUnder: ['bg', 'by', 'kg', 'kz', 'me', 'mk', 'mn', 'rs', 'ru', 'su', 'tj', 'ua', 'uz'],
    letters: pairs('аa сc ԁd еe һh іi јj ӏl оo рp ԛq ѕs ԝw хx уy ѵv үy'),
  },
  {
    script: 'Greek',
    usualUnder: ['gr', 'cy'],
    letters: pairs('αa ιi κk ηn νv οo ρp τt υu ωw χx γy'),
  },
  {
    script: 'Armenian',
    usualUnder: ['am'],
    letters: pairs('օo ոn սu հh ցg զq յj աw լl'),
  },
  {
    script: 'Cherokee',
    usualUnder: [],
    letters: pairs('Ꭺa Ᏼb Ꮯc Ꭰd Ꭼe Ꮐg Ꮋh Ꭵi Ꭻj Ꮶk Ꮮl Ꮇm Ꮲp Ꭱr Ꮪs Ꭲt Ꮩv Ꮃw Ꮍy Ꮓz'),
  },
];

/** Latin letters that look like other Latin letters. */
const LATIN = pairs('ıi ɩi ɑa ɡg ʟl ɴn ʀr ʏy ɪi ᴄc ᴏo ᴠv ᴡw ᴢz ßb þp łl đd øo');

/** Every letter of these tables → its prototype, the plain letter that it resembles. */
const PROTOTYPES: ReadonlyMap<string, string> = new Map(
  [LATIN, ...CONFUSABLE_SCRIPTS.map(({ letters }) => letters)].flatMap((letters) => Object.entries(letters)),
);

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((pair) => [...pair] as [string, string]));
}
