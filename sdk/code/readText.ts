import { readJson } from './readJson.ts';
import { readYaml } from './readYaml.ts';
import type { ReadFile } from './textSpots.ts';
import type { Problem, SourceFile } from './types.ts';

/** Reads YAML 1.2 or JSON. Returns the value of the file, or everything that is wrong with its form. */
export function readText({ name, text }: SourceFile): { file: ReadFile } | { problems: Problem[] } {
  const read = (/^\s*\{/.test(text) ? readJson(text) : null) ?? readYaml(text);
  if (read.problems.length > 0)
    return { problems: read.problems.map((problem) => ({ file: name, path: '', ...problem })) };
  const { value, entryLines, locate } = read;
  return { file: { name, value, entryLines, locate } };
}
