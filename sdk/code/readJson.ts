import { entryKey, Lines, type Path, type ReadText, type Spot, twiceMessage } from './textSpots.ts';

/** Reads JSON; null for what is none, which the reader of YAML says more about. */
export function readJson(text: string): ReadText | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const lines = new Lines(text);
  const entryLines = new Map<string, number>();
  const problems: ReadText['problems'] = [];
  scanKeys(text, (path, offset, earlier) => {
    const spot = lines.spotOf(offset);
    const name = path[path.length - 1] as string;
    if (earlier !== null) problems.push({ ...spot, message: twiceMessage(name, lines.spotOf(earlier).line) });
    if (path.length === 2) entryLines.set(entryKey(String(path[0]), name), spot.line);
  });
  return { value, entryLines, problems, locate: (path) => locate(text, lines, path) };
}

function locate(text: string, lines: Lines, wanted: Path): Spot {
  let best = { depth: 0, offset: 0 };
  scanKeys(text, (path, offset) => {
    const isOnTheWay = path.every((part, at) => part === wanted[at]);
    if (isOnTheWay && path.length > best.depth) best = { depth: path.length, offset };
  });
  return lines.spotOf(best.offset);
}

interface Level {
  /** The offsets of the keys of an object; null in a list. */
  keys: Map<string, number> | null;
  at: number;
}

type OnKey = (path: Path, offset: number, earlier: number | null) => void;

/** Calls `onKey` for each key and each entry of a list, of text that is known to be JSON. */
function scanKeys(text: string, onKey: OnKey): void {
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  const path: Path = [];
  const levels: Level[] = [];
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [word] = found;
    const level = levels[levels.length - 1];
    if (word === '{' || word === '[') {
      levels.push({ keys: word === '{' ? new Map() : null, at: 0 });
      path.push(word === '{' ? '' : 0);
      if (word === '[') onKey(path, found.index + 1, null);
    } else if (word === '}' || word === ']') {
      levels.pop();
      path.pop();
    } else if (word === ',' && level?.keys === null) {
      level.at += 1;
      path[path.length - 1] = level.at;
      onKey(path, found.index + 1, null);
    } else if (word.startsWith('"') && level?.keys && isKey(text, token.lastIndex)) {
      const name = JSON.parse(word) as string;
      path[path.length - 1] = name;
      onKey(path, found.index, level.keys.get(name) ?? null);
      level.keys.set(name, found.index);
    }
  }
}

function isKey(text: string, after: number): boolean {
  let at = after;
  while (' \t\r\n'.includes(text[at] ?? '!')) at += 1;
  return text[at] === ':';
}
