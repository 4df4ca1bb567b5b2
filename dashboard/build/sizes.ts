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
const languages = Object.keys(manifest).flatMap((name) => /texts\/([a-z]+)\/index\.ts$/.exec(name)?.[1] ?? []);
const pageTexts = textsOfPages();

const rows = [
  ...pages.flatMap(pageRows),
  ...languages.map((language) => {
    const sizes = [...pageTexts.values()].map((texts) => sizeOf(textChunks(language, texts), 'gz'));
    return row(`language ${language}, with the texts of its largest page`, Math.max(...sizes), BUDGETS.languageGzip);
  }),
  row('all styles', assetSize(/^style-.*\.css$/), BUDGETS.stylesGzip),
  row('map of the world', assetSize(/^world-.*\.json$/), BUDGETS.mapGzip),
];
const circles = Object.keys(manifest).filter((name) => manifest[name]?.imports?.some((one) => chunksOf(one).has(name)));
for (const { text } of rows) process.stdout.write(`${text}\n`);
if (circles.length > 0) process.stdout.write(`✘ Chunks that import each other in a circle: ${circles.join(', ')}\n`);
process.exit(rows.every(({ fits }) => fits) && circles.length === 0 ? 0 : 1);

/** What a page needs before it can be used, in the language with the longest texts, and what it alone adds. */
function pageRows(page: string) {
  const name = page.replace(/^src\/|\.tsx$/g, '');
  const chunks = chunksOf(page);
  const code = [...frame, ...chunks];
  const first = (encoding: Encoding) =>
    Math.max(
      ...languages.map((language) =>
        sizeOf(new Set([...code, ...textChunks(language, pageTexts.get(page))]), encoding),
      ),
    );
  const others = new Set(pages.filter((other) => other !== page).flatMap((other) => [...chunksOf(other)]));
  const own = [...chunks].filter((chunk) => !frame.has(chunk) && !others.has(chunk));
  return [
    row(`${name}: all JavaScript`, first('gz'), BUDGETS.firstGzip),
    row(`${name}: all JavaScript, brotli`, first('br'), BUDGETS.firstBrotli),
    row(`${name}: its own JavaScript`, sizeOf(own, 'gz'), BUDGETS.pageGzip),
  ];
}

/** What a page loads of a language: the texts of the frame, and its own where it has some. */
function textChunks(language: string, texts: string[] = []): string[] {
  return [`src/texts/${language}/index.ts`, ...texts.map((name) => `src/texts/${language}/pages/${name}.ts`)];
}

/** The texts that belong to each page, as the table of pages names them. */
function textsOfPages(): Map<string, string[]> {
  const folder = path.join(BUILT, '../../dashboard/src/routes');
  const sources = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const rows = sources.flatMap((source) => [
    ...source.matchAll(/withTexts\(\s*([^()]+),\s*\(\) => import\('\.\.\/([^']+)'\)/g),
  ]);
  return new Map(rows.map(([, texts, file]) => [`src/${file}`, texts?.match(/\w+/g) ?? []]));
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
