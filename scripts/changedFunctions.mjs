import ts from 'typescript';
import { ownLines } from './executedSources.mjs';

/**
 * The lines of those functions of `text` that `other`, an older or newer text of the same file, does not have; null if what stands
 * outside of functions differs. Comments, imports, types, and where something stands make no difference.
 */
export function changedFunctions(text, other) {
  const [here, there] = [unitsOf(text), unitsOf(other)];
  if (here.outside !== there.outside) return null;
  const known = new Set(there.functions.map(({ tokens }) => tokens));
  const lines = new Set();
  for (const { tokens, own } of here.functions) if (!known.has(tokens)) for (const line of own) lines.add(line);
  return lines;
}

function unitsOf(text) {
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const functions = [];
  /** The tokens of a node without those of functions in it, which become units of their own. */
  const tokensOf = (node, inner) => {
    if (isOnlyType(node)) return '';
    if (ts.isFunctionLike(node) && node.body) {
      functions.push(unitOf(node));
      inner.push(linesOf(node));
      return isFoundByName(node) ? '' : '(function) ';
    }
    return childTokens(node, inner);
  };
  const childTokens = (node, inner) => {
    const children = node.getChildren(file).filter(({ kind }) => kind !== ts.SyntaxKind.JSDoc);
    if (children.length === 0) return `${node.getText(file)} `;
    return children.map((child) => tokensOf(child, inner)).join('');
  };
  const linesOf = (node) => [lineOf(node.getStart(file)), lineOf(node.getEnd())];
  const unitOf = (node) => {
    const inner = [];
    const tokens = childTokens(node, inner);
    return { tokens, own: ownLines(linesOf(node), inner) };
  };
  const outside = tokensOf(file, []);
  return { outside, functions };
}

/** Nothing runs a new one unless it names it, and so differs, too; overridden ones and resolvers are found in other ways. */
function isFoundByName(node) {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessor(node);
  const isFoundOtherwise = ({ kind }) => kind === ts.SyntaxKind.Decorator || kind === ts.SyntaxKind.OverrideKeyword;
  return isNamed && !node.modifiers?.some(isFoundOtherwise);
}

function isOnlyType(node) {
  return ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}
