// stores: none
import { expect } from 'chai';
import { generateSlug, slugFromPath, slugProblem } from '../../../src/routing/slug.ts';

const GOOD = [
  'a',
  'Spring-Sale_2026',
  'a/b/c',
  'v1.2~x',
  '...',
  'a/.b',
  'x.well-known',
  'a/.well-known',
  'x'.repeat(190),
];
const BAD = [
  ...['', 'x'.repeat(191), 'a b', 'ü', 'a+b', 'a%20b', 'a?b', 'a\n', '/a', 'a/', 'a//b'],
  ...['.', '..', 'a/./b', 'a/..', '../a', '.well-known', '.well-known/x'],
];

describe('a slug', () => {
  for (const slug of GOOD) it(`may be ${slug.slice(0, 30)}`, () => expect(slugProblem(slug)).to.equal(null));
  for (const slug of BAD) {
    it(`may not be ${JSON.stringify(slug.slice(0, 30))}`, () => expect(slugProblem(slug)).to.be.a('string'));
  }

  it('that is generated has 7 characters without look-alikes', () => {
    const slugs = Array.from({ length: 500 }, generateSlug);
    for (const slug of slugs) expect(slug).to.match(/^[2-9a-km-np-zA-HJ-NP-Z]{7}$/);
    expect(new Set(slugs).size).to.equal(500);
    for (const slug of slugs) expect(slugProblem(slug)).to.equal(null);
  });
});

const PATHS: [string, string | null][] = [
  ['/spring', 'spring'],
  ['/spring/', 'spring'],
  ['/Spring', 'Spring'],
  ['/spring//', null],
  ['//spring', null],
  ['/a/b/', 'a/b'],
  ['/%73pring', 'spring'],
  ['/caf%C3%A9', null],
  ['/a%2Fb', null],
  ['/a%2fb', null],
  ['/a%252Fb', null],
  ['/%2573pring', null],
  ['/a%00', null],
  ['/%2e%2e', null],
  ['/a/%2E', null],
  ['/%', null],
  ['/%zz', null],
  ['/%ff', null],
  ['/', null],
  ['', null],
  ['*', null],
  ['spring', null],
  [`/${'x'.repeat(190)}`, 'x'.repeat(190)],
  [`/${'%78'.repeat(190)}/`, 'x'.repeat(190)],
  [`/${'x'.repeat(5000)}`, null],
];

describe('the slug in a path', () => {
  for (const [path, slug] of PATHS) {
    it(`${path.slice(0, 30) || 'nothing'} asks for ${slug === null ? 'none' : slug.slice(0, 30)}`, () => {
      expect(slugFromPath(path)).to.equal(slug);
    });
  }
});
