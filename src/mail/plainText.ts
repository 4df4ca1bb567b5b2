/** Signs that end lines, steer terminals or turn the direction of what follows them. */
const STEERING = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Of a text that others chose, one line of at most `mostCharacters`, in which nothing steers how it is shown. */
export function oneLine(text: string, mostCharacters: number): string {
  const line = text.replace(STEERING, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

/**
 * The same of a name that goes to people who may not know who chose it: mail programs make no link of `visit evil.example`
 * in it, because an invisible sign stands behind its dots and slashes.
 */
export function chosenName(name: string): string {
  return oneLine(name, MOST_OF_NAME).replace(/[.:/@](?=\S)/g, '$&\u2060');
}

const MOST_OF_NAME = 80;
