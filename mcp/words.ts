/** The longest text that is searched for. */
export const MAX_QUERY = 200;
/** Words of a search that count; each is looked for in everything that is searched. */
const MAX_WORDS = 20;

/** The words of a search, each once and in lower case. Single letters are everywhere and say nothing. */
export function wordsOf(text: string): string[] {
  const words = text
    .slice(0, MAX_QUERY)
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word.length > 1);
  return [...new Set(words)].slice(0, MAX_WORDS);
}
