/** The values of a filter, null for the unknown one, or what is wrong with its text. */
export type FilterValues = { values: (string | null)[]; isExcluding: boolean } | { problem: string };

interface Character {
  text: string;
  isEscaped: boolean;
}

/** How the unknown value is written, which `group_by` shows as null. */
const UNKNOWN = 'null';

/**
 * Reads filters such as `DE,AT` and `-US,CA` (all others). A backslash escapes a comma, a minus, a space at an edge, `null` and
 * another backslash; before anything else it stands for itself. Every value can be written this way.
 */
export function readValues(text: string): FilterValues {
  const pieces = split(charactersOf(text)).map(trimmed);
  const isExcluding = isMinus(pieces[0]?.[0]);
  const values: (string | null)[] = [];
  for (const piece of pieces) {
    if (isMinus(piece[0]) && !isExcluding)
      return {
        problem:
          'A minus goes before the first value and excludes all of them. Write \\- for a minus that belongs to a value.',
      };
    const rest = isMinus(piece[0]) ? trimmed(piece.slice(1)) : piece;
    if (rest.length === 0) return { problem: 'Contains an empty value. Separate values by single commas.' };
    values.push(meantBy(rest));
  }
  return { values: [...new Set(values)], isExcluding };
}

function charactersOf(text: string): Character[] {
  const characters: Character[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const isEscaped = text[at] === '\\' && /^[\\,\-\s]$/.test(text[at + 1] ?? '');
    if (isEscaped) at += 1;
    characters.push({ text: text[at] as string, isEscaped });
  }
  return characters;
}

function split(characters: Character[]): Character[][] {
  const pieces: Character[][] = [[]];
  for (const character of characters) {
    if (character.text === ',' && !character.isEscaped) pieces.push([]);
    else pieces.at(-1)?.push(character);
  }
  return pieces;
}

function trimmed(characters: Character[]): Character[] {
  const isKept = ({ text, isEscaped }: Character) => isEscaped || !/\s/.test(text);
  const first = characters.findIndex(isKept);
  return first < 0 ? [] : characters.slice(first, characters.findLastIndex(isKept) + 1);
}

function isMinus(character: Character | undefined): boolean {
  return character?.text === '-' && !character.isEscaped;
}

function meantBy(characters: Character[]): string | null {
  const text = characters.map((character) => character.text).join('');
  if (characters[0]?.isEscaped) return text;
  if (text === UNKNOWN) return null;
  return text === `\\${UNKNOWN}` ? UNKNOWN : text;
}
