// stores: none
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { CAPACITY_FIGURES, CAPACITY_TABLES } from '../../support/capacity.ts';
import { inRoot } from '../../support/root.ts';

const PAGE = inRoot('docs/capacity.md');

/** The page with a table as it is computed, in the place of the one with the same head. */
function withTable(page: string, table: string): string {
  const [head = ''] = table.split('\n');
  const from = page.indexOf(`${head}\n`);
  expect(from, head).to.be.at.least(0);
  return page.slice(0, from) + table + page.slice(page.indexOf('\n\n', from));
}

describe('docs/capacity.md', () => {
  before(() => {
    if (process.env.GOLDEN !== 'write') return;
    writeFileSync(PAGE, Object.values(CAPACITY_TABLES).reduce(withTable, readFileSync(PAGE, 'utf8')));
  });

  for (const [title, table] of Object.entries(CAPACITY_TABLES)) {
    it(`has the table "${title}" as it follows from the unit costs`, () => {
      expect(readFileSync(PAGE, 'utf8')).to.include(`\n${table}\n`);
    });
  }

  for (const figure of CAPACITY_FIGURES) {
    it(`says: ${figure.replace('\n', ' ')}`, () => {
      expect(readFileSync(PAGE, 'utf8')).to.include(figure);
    });
  }
});
