/** Words that the parser's costliest rules begin with: `oid` of `Android`, and of browsers inside WeChat and televisions. */
const COSTLY = /oid|qbcore|hbbtv/gi;
/** No browser says more of them. */
const MOST_COSTLY = 3;
/** Words of browsers stay under this, those of apps with their build numbers too. */
const LONGEST_WORD = 100;

const LONG_WORD = new RegExp(`[\\w.]{${LONGEST_WORD}}`);

/**
 * Extensions of the parser's table of browsers are asked before it. Its own rule for Naver takes the cube of the text's
 * length: 33 ms for 512 characters.
 */
export const TAME_RULES = { browser: [[/(naver)\(/i], ['name']] };

/**
 * What may be given to the parser. Dozens of its rules look at all that stands behind each `droid` or in a word, so that a
 * text made of one of them costs a hundred times as much as a browser's: it is cut off where no browser goes on.
 */
export function tameAgent(text: string): string {
  const long = LONG_WORD.exec(text);
  const tame = long === null ? text : text.slice(0, long.index + LONGEST_WORD);
  return tame.slice(0, [...tame.matchAll(COSTLY)][MOST_COSTLY]?.index);
}
