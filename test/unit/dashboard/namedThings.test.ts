// stores: none
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import ts from 'typescript';
import { SCOPES } from '../../../src/access/scopes.ts';
import { AUDIT_ACTIONS } from '../../../src/audit/actions.ts';
import { EVENT_TYPES } from '../../../src/events/catalogue.ts';
import { CHECKS } from '../../../src/health/checkTable.ts';
import { ALERT_KINDS } from '../../../src/models/alertKinds.ts';
import { inRoot } from '../../support/root.ts';

/** The names below a path in the English texts, which are the model of all other languages. */
function namesAt(file: string, path: string[]): string[] {
  const place = inRoot(`dashboard/src/texts/en/${file}.ts`);
  const source = ts.createSourceFile(place, readFileSync(place, 'utf8'), ts.ScriptTarget.Latest, true);
  let found: ts.ObjectLiteralExpression | undefined;
  const visit = (node: ts.Node, [name, ...rest]: string[]): void => {
    if (ts.isObjectLiteralExpression(node)) {
      for (const property of node.properties) {
        if (!ts.isPropertyAssignment(property) || nameOf(property) !== name) continue;
        const value = ts.isAsExpression(property.initializer) ? property.initializer.expression : property.initializer;
        if (rest.length > 0) visit(value, rest);
        else if (ts.isObjectLiteralExpression(value)) found = value;
      }
    } else ts.forEachChild(node, (child) => visit(child, [name as string, ...rest]));
  };
  visit(source, path);
  return found?.properties.map(nameOf) ?? [];
}

function nameOf({ name }: ts.ObjectLiteralElementLike): string {
  return name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : '';
}

/** The server has a list of each and says it in English; the dashboard says it in the language of the reader. */
describe('the texts of the dashboard name', () => {
  const NAMED: [what: string, file: string, path: string[], known: string[]][] = [
    ['every action of the audit log', 'pages/audit', ['actions'], Object.keys(AUDIT_ACTIONS)],
    ['every type of event', 'pages/webhooks', ['types', 'abouts'], Object.keys(EVENT_TYPES)],
    ['every kind of alert', 'pages/watch', ['kinds'], Object.keys(ALERT_KINDS)],
    ['every health check', 'pages/watch', ['check'], CHECKS.map(({ name }) => name)],
    [
      'everything that a key may be for',
      'pages/api',
      ['resources'],
      SCOPES.map((scope) => scope.split(':')[0] as string),
    ],
  ];
  for (const [what, file, path, known] of NAMED) {
    it(what, () => {
      expect(namesAt(file, path).sort()).to.deep.equal([...new Set(known)].sort());
    });
  }
});
