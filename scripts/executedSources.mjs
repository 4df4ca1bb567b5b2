import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { findSourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Watches what this process executes below `root`: `take` gives `{ [source]: [[first, last], …] }`, the lines of the functions that
 * were called since the last time, without those of functions in them. What a module does when it is loaded does not count: each
 * module is loaded once for many files.
 */
export async function watchExecution(root) {
  const below = pathToFileURL(`${path.resolve(root)}/`).href;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const places = new Map();
  const lineIn = (url) => {
    if (!places.has(url)) places.set(url, originalLines(fileURLToPath(url)));
    return places.get(url);
  };
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const executed = {};
      for (const { url, functions } of result) {
        if (!url.startsWith(below) || !functions.some(isCall)) continue;
        const source = path.relative(root, fileURLToPath(url)).replace(/\.js$/, '.ts');
        executed[source] = rangesOf(calledLines(functions.filter(isInModule), lineIn(url)));
      }
      return executed;
    },
  };
}

/** Ranges of ascending lines. */
export function rangesOf(lines) {
  const ranges = [];
  for (const line of [...lines].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && line <= last[1] + 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/** The lines of ranges, without those between the first and the last one of each range in them. */
export function ownLines([first, last], inner) {
  const lines = new Set();
  for (let line = first; line <= last; line += 1) lines.add(line);
  for (const [start, end] of inner) for (let line = start + 1; line < end; line += 1) lines.delete(line);
  return lines;
}

/** The module itself is a function without a name that begins at its first letter. */
function isInModule({ functionName, ranges }) {
  return !(functionName === '' && ranges[0].startOffset === 0);
}

function isCall(called) {
  return called.ranges[0].count > 0 && isInModule(called);
}

function calledLines(functions, lineAt) {
  const all = functions.map(({ ranges: [{ startOffset, endOffset, count }] }) => ({
    ...{ startOffset, endOffset, count },
    lines: [lineAt(startOffset), lineAt(endOffset - 1)],
  }));
  const isWithin = (inner, outer) =>
    inner !== outer && inner.startOffset >= outer.startOffset && inner.endOffset <= outer.endOffset;
  const called = new Set();
  for (const one of all) {
    if (one.count === 0) continue;
    const inner = all.filter((other) => isWithin(other, one)).map(({ lines }) => lines);
    for (const line of ownLines(one.lines, inner)) called.add(line);
  }
  return called;
}

/** From a place in a compiled file to the line of its source, from 1. */
function originalLines(file) {
  const text = readFileSync(file, 'utf8');
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const map = findSourceMap(file);
  const known = new Map();
  return (offset) => {
    if (!known.has(offset)) {
      const line = starts.findLastIndex((start) => start <= offset);
      known.set(offset, (map?.findEntry(line, offset - starts[line]).originalLine ?? line) + 1);
    }
    return known.get(offset);
  };
}
