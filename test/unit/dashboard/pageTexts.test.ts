// stores: none
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { inRoot } from '../../support/root.ts';

const SOURCE = inRoot('dashboard/src');
const ROUTES = path.join(SOURCE, 'routes');

const IMPORT = /(?:from|import\()\s*'(\.[^']+\.tsx?)'/g;
const USE = /\bt\.(\w+)/g;
const LOADED = /= withTexts\('(\w+)'/g;

const textOf = (file: string) => readFileSync(file, 'utf8');
const names = new Set(
  [...textOf(path.join(SOURCE, 'texts/en/index.ts')).matchAll(/^ {2}(\w+): \(\) => import/gm)].map(([, name]) => name),
);

/** The files that a page is made of, also those that are loaded when somebody asks for them. */
function filesOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || path.dirname(file) === ROUTES) return found;
  found.add(file);
  for (const [, imported] of textOf(file).matchAll(IMPORT))
    filesOf(path.resolve(path.dirname(file), imported as string), found);
  return found;
}

/** The texts of pages that these files use, without those that one of them loads itself. */
function usedIn(files: Iterable<string>): string[] {
  const sources = [...files].filter((file) => !file.includes('/texts/')).map(textOf);
  const used = sources.flatMap((source) => [...source.matchAll(USE)].map(([, name]) => name as string));
  const loaded = new Set(sources.flatMap((source) => [...source.matchAll(LOADED)].map(([, name]) => name)));
  return [...new Set(used)].filter((name) => names.has(name) && !loaded.has(name)).sort();
}

/** Reads of `t` that happen when a file is loaded, which may be before its texts are. */
function readAtLoad(file: string): string[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return;
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't')
      found.push(`${path.relative(SOURCE, file)}: ${node.getText()}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('the texts of pages', () => {
  const rows = readdirSync(ROUTES).flatMap((file) => [
    ...textOf(path.join(ROUTES, file)).matchAll(/(?:withTexts\(\s*'(\w+)',\s*)?\(\) =>\s*import\('(\.[^']+)'\)/g),
  ]);

  it('are loaded by every page that uses them', () => {
    const pages = [...rows].map(([, texts, file]) => ({ file: file as string, texts: texts ? [texts] : [] }));
    expect(pages.length).to.be.above(20);
    for (const { file, texts } of pages) {
      const used = usedIn(filesOf(path.resolve(ROUTES, file)));
      expect(
        used.filter((name) => !texts.includes(name)),
        file,
      ).to.deep.equal([]);
    }
  });

  it('are not used by the frame, which stands before any page', () => {
    expect(usedIn(filesOf(path.join(SOURCE, 'main.tsx')))).to.deep.equal([]);
  });

  it('are read when something is shown, not when its code is loaded', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
    expect(files.length).to.be.above(200);
    expect(files.flatMap((file) => readAtLoad(path.join(SOURCE, file)))).to.deep.equal([]);
  });
});
