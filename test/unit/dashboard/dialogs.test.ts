// stores: none
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { inRoot } from '../../support/root.ts';

const SOURCE = inRoot('dashboard/src');
/** What a component draws that is a dialog as a whole. */
const FRAMES = new Set(['Dialog', 'SideDialog', 'Modal', 'Drawer', 'Spotlight']);
/** Which function loads a component later, and its name. */
const LATER = /\b(\w*onDemand|tab|part)\w*\(\s*\(\) =>[^;]*?\.then\(\(\{ \w+ \}\) => (\w+)\)/gi;

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCE, file), 'utf8') }));

/** The components of a file that draw a dialog and nothing else. */
function dialogsIn({ file, text }: { file: string; text: string }): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  return source.statements.filter(ts.isFunctionDeclaration).flatMap(({ name, body }) => {
    const last = body?.statements.findLast(ts.isReturnStatement)?.expression;
    const drawn = last && ts.isParenthesizedExpression(last) ? last.expression : last;
    const tag =
      drawn && (ts.isJsxElement(drawn) ? drawn.openingElement : ts.isJsxSelfClosingElement(drawn) ? drawn : undefined);
    return name && tag && FRAMES.has(tag.tagName.getText()) ? [name.text] : [];
  });
}

describe('dialogs of the dashboard whose code is loaded later', () => {
  const dialogs = new Set(files.flatMap(dialogsIn));
  const later = files.flatMap(({ file, text }) =>
    [...text.matchAll(LATER)].map(([, how, name]) => ({ file, how, name: name as string })),
  );

  it('say when they are open, so that nothing that is typed meanwhile is lost', () => {
    const found = later.filter(({ name }) => dialogs.has(name));
    expect(found.length).to.be.above(20);
    expect(found.filter(({ how }) => how !== 'dialogOnDemand')).to.deep.equal([]);
  });
});
