/** Letters of one script that look like Latin ones. */
interface Confusable {
  script: string;
  /** Country domains under which names in this script are usual. */
  usualUnder: string[];
  /** Letter of the script → the Latin one that it is taken for. */
  letters: Record<string, string>;
}

/**
 * From confusables.txt of UTS #39, those alone that a reader cannot tell from small Latin letters in common fonts: more
 * would refuse names that nobody mistakes.
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

/** Latin letters that look like others of the alphabet; a script of its own they are not. */
const LATIN = pairs('ıi ɩi ɑa ɡg ʟl ɴn ʀr ʏy ɪi ᴄc ᴏo ᴠv ᴡw ᴢz ßb þp łl đd øo');

/** Every letter of these tables → the one that it is taken for. */
export const TAKEN_FOR: ReadonlyMap<string, string> = new Map(
  [LATIN, ...CONFUSABLE_SCRIPTS.map(({ letters }) => letters)].flatMap((letters) => Object.entries(letters)),
);

function pairs(text: string): Record<string, string> {
  return Object.fromEntries(text.split(' ').map((pair) => [...pair] as [string, string]));
}
