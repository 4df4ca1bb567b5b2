import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Compares what the build made with its budgets, and prints both: `npm run sizes`. Ends with 1 when something is larger, or when
 * chunks import each other in a circle. Sizes are those that travel, in kB of 1,000 bytes.
 */
const BUILT = path.resolve(import.meta.dirname, '../../dist/dashboard');

/** Budgets in kB: docs/decisions/0062. */
const BUDGETS = { firstGzip: 235, firstBrotli: 200, pageGzip: 30, stylesGzip: 28, languageGzip: 18, mapGzip: 40 };

type Encoding = 'gz' | 'br';

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}

const manifest = JSON.parse(readFileSync(path.join(BUILT, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const frame = chunksOf(Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? '');
const pages = Object.keys(manifest).filter((name) => /Page\.tsx$/.test(name));
const languages = Object.keys(manifest).filter((name) => /texts\/[a-z]+\/index\.ts$/.test(name));

const rows = [
  ...pages.flatMap(pageRows),
  ...languages.map((name) => row(`language ${name.split('/').at(-2)}`, sizeOf([name], 'gz'), BUDGETS.languageGzip)),
  row('all styles', assetSize(/^style-.*\.css$/), BUDGETS.stylesGzip),
  row('map of the world', assetSize(/^world-.*\.json$/), BUDGETS.mapGzip),
];
const circles = Object.keys(manifest).filter((name) => manifest[name]?.imports?.some((one) => chunksOf(one).has(name)));
for (const { text } of rows) process.stdout.write(`${text}\n`);
if (circles.length > 0) process.stdout.write(`✘ Chunks that import each other in a circle: ${circles.join(', ')}\n`);
process.exit(rows.every(({ fits }) => fits) && circles.length === 0 ? 0 : 1);

/** What a page needs before it can be used, and what it alone adds. */
function pageRows(page: string) {
  const name = page.replace(/^src\/|\.tsx$/g, '');
  const chunks = chunksOf(page);
  const first = new Set([...frame, ...chunks, ...chunksOf(languages[0] ?? '')]);
  const others = new Set(pages.filter((other) => other !== page).flatMap((other) => [...chunksOf(other)]));
  const own = [...chunks].filter((chunk) => !frame.has(chunk) && !others.has(chunk));
  return [
    row(`${name}: all JavaScript`, sizeOf(first, 'gz'), BUDGETS.firstGzip),
    row(`${name}: all JavaScript, brotli`, sizeOf(first, 'br'), BUDGETS.firstBrotli),
    row(`${name}: its own JavaScript`, sizeOf(own, 'gz'), BUDGETS.pageGzip),
  ];
}

function row(what: string, bytes: number, budget: number) {
  const fits = bytes <= budget * 1000;
  const size = (bytes / 1000).toFixed(1).padStart(6);
  return { fits, text: `${fits ? '✔' : '✘'} ${size} of ${String(budget).padStart(3)} kB  ${what}` };
}

/** A chunk and everything that is loaded with it. */
function chunksOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name) || !manifest[name]) return found;
  found.add(name);
  for (const imported of manifest[name].imports ?? []) chunksOf(imported, found);
  return found;
}

function sizeOf(names: Iterable<string>, encoding: Encoding): number {
  return [...names].reduce((sum, name) => sum + compressed(manifest[name]?.file, encoding), 0);
}

function assetSize(pattern: RegExp): number {
  const file = readdirSync(path.join(BUILT, 'assets')).find((name) => pattern.test(name));
  if (file === undefined) throw new Error(`The build made no ${pattern}`);
  return compressed(`assets/${file}`, 'gz');
}

/** Files below a kilobyte are not compressed. */
function compressed(file: string | undefined, encoding: Encoding): number {
  if (file === undefined) return 0;
  const known = [`${file}.${encoding}`, file].map((name) =>
    statSync(path.join(BUILT, name), { throwIfNoEntry: false }),
  );
  return known.find((one) => one !== undefined)?.size ?? 0;
}
