// stores: none
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { variableName } from '../../../src/kernel/config.ts';
import { SETTINGS } from '../../../src/kernel/settings/table.ts';
import { inRoot } from '../../support/root.ts';

const DECISIONS = 'docs/decisions';
const INDEX = `${DECISIONS}/README.md`;

const read = (file: string) => readFileSync(inRoot(file), 'utf8');
const filesLike = (pattern: string) => globSync(pattern, { cwd: inRoot('.') }).sort();

/** Relative links of a page, without anchors; code blocks are skipped, inline code too. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string);
  return targets.filter((target) => !/^(https?:|mailto:|#)/.test(target)).map((target) => target.replace(/#.*$/, ''));
}

/** Paths of sources and tests that a page names as inline code. Placeholders such as `<subject>` name no file. */
function pathsOf(text: string): string[] {
  const named = [...text.matchAll(/`((?:src|test|schema|facade|jobs|scripts|bench)\/[^`\s]*)`/g)];
  return named.map(([, name]) => name as string).filter((name) => !/[<…]/.test(name));
}

/** Variables of Node, of the tests and of the command line, and names that come in enumerations of others. */
const NO_SETTINGS = [
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'POSTGRES_PASSWORD',
  'TEST_POSTGRES_URL',
  'SVC_ASK',
  'SVC_EMAIL',
  'SVC_KEY',
  'SVC_URL',
  'SVC_PROFILE',
  'NO_COLOR',
];

/** Names of settings in a page: code in capitals with an underscore. `RATE_LIMIT_…` names a group. */
function settingsOf(text: string): string[] {
  const named = [...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+_?)(?=[`=])/g)].map(([, name]) => name as string);
  return named.filter((name) => !NO_SETTINGS.includes(name));
}

describe('The index of decisions', () => {
  const index = read(INDEX);

  for (const file of filesLike(`${DECISIONS}/[0-9]*.md`)) {
    const name = path.basename(file);

    it(`has ${name} with its title, status and date`, () => {
      const [heading = '', blank, second = ''] = read(file).split('\n');
      const title = heading.replace(/^# /, '');
      const [, status, date] = /^Status: ([^·]+?) · (\d{4}-\d\d-\d\d)/.exec(second) ?? [];
      expect(blank).to.equal('');
      expect(status, 'the third line is "Status: accepted · 2026-…"').to.match(/^(accepted|superseded by \d{4})$/);
      expect(index).to.include(`| [${name.slice(0, 4)}](${name}) | ${title} | ${status} | ${date} |`);
    });
  }

  it('has no page that does not exist, and no page twice', () => {
    const listed = linksOf(index);
    const pages = filesLike(`${DECISIONS}/[0-9]*.md`).map((file) => path.basename(file));
    expect(listed).to.deep.equal(pages);
  });
});

describe('The documentation', () => {
  for (const file of ['README.md', 'CONTRIBUTING.md', INDEX, ...filesLike('docs/*.md')]) {
    it(`names in ${file} only files that exist`, () => {
      const text = read(file);
      const links = linksOf(text).map((target) => path.join(path.dirname(file), target));
      const missing = [
        ...links.filter((target) => !existsSync(inRoot(target))),
        ...pathsOf(text).filter((name) => filesLike(name.replace(/\/$/, '')).length === 0),
      ];
      expect(missing).to.deep.equal([]);
    });
  }

  for (const file of ['README.md', 'CONTRIBUTING.md', ...filesLike('docs/*.md')]) {
    it(`names in ${file} only settings that exist`, () => {
      const settings = Object.keys(SETTINGS).map(variableName);
      expect(settingsOf(read(file)).filter((name) => !settings.includes(name))).to.deep.equal([]);
    });
  }

  it('has a README of at most 100 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).to.be.at.most(100);
  });
});
