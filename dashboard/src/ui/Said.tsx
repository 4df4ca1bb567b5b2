/**
 * What the dashboard says of something that the server has a list of, in the language of the reader. What only a newer server
 * knows is said in its words, in English.
 */
export function Said({ text, english }: { text: string | undefined; english: string }) {
  return text ?? <span lang="en">{english}</span>;
}

/** The text of a name that the server gives, if there is one. */
export function textOf(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return texts[name];
}
