import { once } from '../kernel/memoize.ts';

/** The codes that ISO 3166-1 assigns, and XK, which the databases of places use for Kosovo. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO',
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE',
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO',
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW',
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM',
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
    'XK',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Codes that are none any more, or that ISO 3166-1 reserves, of countries that have another one: by ISO 3166-3 those with a
 * single successor, and UK and EL as the European Union writes them.
 */
const OTHER_CODES: Record<string, string> = {
  ...{ UK: 'GB', EL: 'GR', BU: 'MM', CT: 'KI', DD: 'DE', DY: 'BJ', FX: 'FR', HV: 'BF', JT: 'UM', MI: 'UM' },
  ...{ NH: 'VU', NQ: 'AQ', PU: 'UM', RH: 'ZW', TP: 'TL', VD: 'VN', WK: 'UM', YD: 'YE', ZR: 'CD' },
};

/** Codes of countries that have become several. */
const DIVIDED: Record<string, string> = {
  AN: 'BQ, CW or SX',
  CS: 'CZ, SK, RS or ME',
  PC: 'FM, MH, MP or PW',
  SU: 'RU, UA, KZ and others',
  YU: 'RS, HR, SI, BA, ME, MK or XK',
};

/** The code of a country as visitors have it, in capitals: `UK` is `GB`. Null for what is not a country. */
export function countryOf(text: string): string | null {
  const code = text.trim().toUpperCase();
  const known = OTHER_CODES[code] ?? code;
  return COUNTRIES.has(known) ? known : null;
}

/** What is wrong with the code of a country, and what to write; null if nothing. */
export function countryProblem(text: string): string | null {
  if (countryOf(text) !== null) return null;
  const given = text.trim();
  const successors = DIVIDED[given.toUpperCase()];
  if (successors) return `${given.toUpperCase()} is not a country any more: write ${successors}.`;
  const code = codeOfName(given);
  if (code !== null) return `Must be a country code of two letters: write ${code}.`;
  return 'Must be a country code of two letters, as ISO 3166-1 assigns them, such as DE.';
}

/** The code of a country by its English name, for a suggestion. */
function codeOfName(name: string): string | null {
  return codesByName().get(name.toLowerCase()) ?? null;
}

const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const codesByName = once(() => new Map([...COUNTRIES].map((code) => [String(NAMES.of(code)).toLowerCase(), code])));
