// stores: none
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { inRoot } from '../../support/root.ts';

const SOURCE = inRoot('dashboard/src');
const ROUTES = path.join(SOURCE, 'routes');

/** What a file is made of. Types need no texts. */
const IMPORT = /(?:import|export) (?!type )([^;]*?)from '(\.[^']+\.tsx?)'/g;
/** What a file loads on demand, and the texts that come with it. */
const DEMAND = /(?:withTexts\(\s*([^()]+),\s*\(\) =>\s*)?import\('(\.[^']+\.tsx?)'\)/g;
const USE = /\bt\.(\w+)/g;

const textOf = (file: string) => readFileSync(file, 'utf8');
const names = new Set(
  [...textOf(path.join(SOURCE, 'texts/en/index.ts')).matchAll(/^ {2}(\w+): \(\) => import/gm)].map(([, name]) => name),
);

/** Texts of pages that a file, or a part of it, uses before they are there: `file: name`. */
function missingIn(file: string, loaded: readonly string[], wanted: string[] = [], seen = new Set<string>()): string[] {
  // What a `public.ts` names and nobody asks it for is left out of the build.
  const isDoor = path.basename(file) === 'public.ts';
  const place = [file, ...loaded.toSorted(), ...(isDoor ? wanted : [])].join(' ');
  if (seen.has(place) || file.includes('/texts/')) return [];
  seen.add(place);
  const source = textOf(file);
  const below = (other: string, texts: readonly string[], asked: string[]) =>
    missingIn(path.resolve(path.dirname(file), other), texts, asked, seen);
  const used = new Set([...source.matchAll(USE)].map(([, name]) => name as string));
  return [
    ...[...used].filter((name) => names.has(name) && !loaded.includes(name)).map((name) => `${nameOf(file)}: ${name}`),
    ...[...source.matchAll(IMPORT)].flatMap(([, clause, imported]) => {
      const asked = wordsIn(clause);
      return isDoor && !asked.some((name) => wanted.includes(name)) ? [] : below(imported as string, loaded, asked);
    }),
    ...[...source.matchAll(DEMAND)].flatMap(([, texts, imported]) =>
      below(imported as string, [...new Set([...loaded, ...wordsIn(texts)])], []),
    ),
  ];
}

/** Of `'team'`, `['apps', 'analytics']`, `{ Bell, useBell }`. */
function wordsIn(text = ''): string[] {
  return text.match(/\w+/g) ?? [];
}

function nameOf(file: string): string {
  return path.relative(SOURCE, file);
}

/** Reads of `t` that happen when a file is loaded, which may be before its texts are. */
function readAtLoad(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return;
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't')
      found.push(`${nameOf(file)}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the texts of pages', () => {
  const rows = readdirSync(ROUTES)
    .map((file) => path.join(ROUTES, file))
    .flatMap((table) =>
      [...textOf(table).matchAll(DEMAND)].map(([, texts, file]) => ({
        file: path.resolve(ROUTES, file as string),
        texts: wordsIn(texts),
      })),
    );

  it('are loaded by every page and part that uses them, before it is shown', () => {
    expect(rows.length).to.be.above(20);
    expect(rows.flatMap(({ file, texts }) => missingIn(file, texts))).to.deep.equal([]);
  });

  it('are loaded by no page that needs none of them at first', () => {
    const idle = rows.flatMap(({ file, texts }) =>
      texts
        .filter(
          (name) =>
            missingIn(
              file,
              texts.filter((other) => other !== name),
            ).length === 0,
        )
        .map((name) => `${nameOf(file)}: ${name}`),
    );
    expect(idle).to.deep.equal([]);
  });

  it('are not used by the frame, which stands before any page', () => {
    // The tables of pages name their texts themselves.
    const seen = new Set(readdirSync(ROUTES).map((file) => path.join(ROUTES, file)));
    expect(missingIn(path.join(SOURCE, 'main.tsx'), [], [], seen)).to.deep.equal([]);
  });

  it('are read when something is shown, not when its code is loaded', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    expect(files.length).to.be.above(200);
    expect(files.flatMap((file) => readAtLoad(path.join(SOURCE, file)))).to.deep.equal([]);
  });
});
