/** How many sections are printed, and how much of them. */
const SECTIONS = 3;
const MOST_CHARACTERS = 6000;
/** A word in a heading says more about the section than one in its text. */
const HEADING_WEIGHT = 12;
const HEADING = /^#{1,4} /;

/** The sections of a Markdown text that tell most about the words, the best first. */
export function sectionsFor(markdown: string, words: string[]): string[] {
  const wanted = words.map((word) => word.toLowerCase());
  return sectionsOf(markdown)
    .map((section) => ({ section, score: scoreOf(section, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, SECTIONS)
    .map(({ section }) => (section.length > MOST_CHARACTERS ? `${section.slice(0, MOST_CHARACTERS)}\n…` : section));
}

/** Headings and what stands below them. What looks like a heading in an example is none. */
function sectionsOf(markdown: string): string[] {
  const sections: string[][] = [[]];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && HEADING.test(line)) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections.map((lines) => lines.join('\n').trim()).filter((section) => section !== '');
}

/** Every word must be there; each counts more often the shorter the section is. */
function scoreOf(section: string, words: string[]): number {
  const text = section.toLowerCase();
  const [heading = ''] = text.split('\n');
  if (!words.every((word) => text.includes(word))) return 0;
  return words.reduce((score, word) => {
    const count = text.split(word).length - 1;
    return score + (heading.includes(word) ? HEADING_WEIGHT : 0) + count / Math.sqrt(text.length / 100);
  }, 0);
}
