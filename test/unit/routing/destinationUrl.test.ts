// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { MAX_URL_BYTES } from '../../../src/kernel/urls.ts';
import { compileTarget, locationOf } from '../../../src/routing/destinationUrl.ts';
import type { Utm } from '../../../src/routing/utm.ts';

const UTM: Utm = { source: 'news', medium: null, campaign: 'a b&c' };

/** [what, destination, utm, visitor's query, Location] */
const CASES: [string, string, Utm | null, string, string][] = [
  ['nothing to add', 'https://x.test/a?b=1#c', null, '', 'https://x.test/a?b=1#c'],
  ['a visitor’s parameters', 'https://x.test/a', null, 'v=1&w', 'https://x.test/a?v=1&w'],
  ['a fragment alone that has a ?', 'https://x.test/#c?a=1', null, 'a=2', 'https://x.test/?a=2#c?a=1'],
  ['no path', 'https://x.test', null, 'v=1', 'https://x.test?v=1'],
  ['a fragment', 'https://x.test/a#c?d', null, 'v=1', 'https://x.test/a?v=1#c?d'],
  ['utm', 'https://x.test/a?b=1#c', UTM, '', 'https://x.test/a?b=1&utm_source=news&utm_campaign=a%20b%26c#c'],
  ['own before utm', 'https://x.test/?utm_source=own', { source: 'news' }, '', 'https://x.test/?utm_source=own'],
  ['utm before visitor', 'https://x.test/', { source: 'a' }, 'utm_source=b&v=1', 'https://x.test/?utm_source=a&v=1'],
  ['own before visitor', 'https://x.test/?a=1', null, 'a=2&b=3&a=4', 'https://x.test/?a=1&b=3'],
  ['names by what they mean', 'https://x.test/?a+b=1', null, 'a%20b=2&%61+b=3&c=4', 'https://x.test/?a+b=1&c=4'],
  ['repeated parameters', 'https://x.test/?a=1', null, 'v=1&v=2&v=1', 'https://x.test/?a=1&v=1&v=2&v=1'],
  ['bytes as sent', 'https://x.test/', null, 'v=%e4%BD+%41%2F', 'https://x.test/?v=%e4%BD+%41%2F'],
  ['malformed encodings', 'https://x.test/?a=%', null, '%=1&%zz=2&%ff=3', 'https://x.test/?a=%&%=1&%zz=2&%ff=3'],
  ['a fragment in the query', 'https://x.test/#c', null, 'v=1#d', 'https://x.test/?v=1%23d#c'],
  [
    'a header in the query',
    'https://x.test/',
    null,
    'v=1\r\nSet-Cookie: a',
    'https://x.test/?v=1%0D%0ASet-Cookie:%20a',
  ],
  ['letters of the world', 'https://x.test/', null, 'v=ü€😀', 'https://x.test/?v=%C3%BC%E2%82%AC%F0%9F%98%80'],
  [
    'half a surrogate pair',
    'https://x.test/\ud800',
    { term: '\udc00' },
    '',
    'https://x.test/%EF%BF%BD?utm_term=%EF%BF%BD',
  ],
  [
    'own parameters behind letters of the world',
    'https://ü.test/ä?a=1',
    null,
    'a=2&b',
    'https://xn--tda.test/%C3%A4?a=1&b',
  ],
  ['an app’s scheme', 'myapp://product/42', { source: 'a' }, 'v=1', 'myapp://product/42?utm_source=a&v=1'],
  [
    'a stored Unicode host',
    'https://münchen.test:8443/ä?ö#ü',
    null,
    '',
    'https://xn--mnchen-3ya.test:8443/%C3%A4?%C3%B6#%C3%BC',
  ],
  ['an empty own query', 'https://x.test/?', null, 'v=1', 'https://x.test/?v=1'],
  ['an open own query', 'https://x.test/?a=1&', null, 'v=1', 'https://x.test/?a=1&v=1'],
  ['only what is there already', 'https://x.test/?a=1#c', null, 'a=2&&', 'https://x.test/?a=1#c'],
];

describe('the Location of a destination', () => {
  for (const [what, destination, utm, query, expected] of CASES) {
    it(`with ${what}`, () => {
      const target = compileTarget(destination, utm);
      expect(locationOf(target, query)).to.equal(expected);
      if (query === '') expect(target.url).to.equal(expected);
    });
  }
});

/** [destination, forwarded path, Location] */
const PATHS: [string, string, string][] = [
  ['https://x.test', '/more', 'https://x.test/more'],
  ['https://x.test/a/', '/more/', 'https://x.test/a/more/'],
  ['https://x.test/a?b=1#c', '/more', 'https://x.test/a/more?b=1#c'],
  ['myapp://product', '/42', 'myapp://product/42'],
  ['https://x.test', '.evil.test', 'https://x.test/.evil.test'],
  ['https://x.test/a', '//evil.test', 'https://x.test/a//evil.test'],
  ['https://x.test/a', '/../secret', 'https://x.test/a'],
  ['https://x.test/a', '/b/%2E%2e/secret', 'https://x.test/a'],
  ['https://x.test/a', '/..\\secret', 'https://x.test/a/..%5Csecret'],
  ['https://x.test/a', '/%41 b\n', 'https://x.test/a/%41%20b%0A'],
];

describe('a forwarded path', () => {
  for (const [destination, path, expected] of PATHS) {
    it(`${JSON.stringify(path)} behind ${destination}`, () => {
      expect(locationOf(compileTarget(destination, null), '', path)).to.equal(expected);
    });
  }

  it('comes before the parameters of utm and visitor', () => {
    const target = compileTarget('https://x.test/a', { source: 'news' });
    expect(locationOf(target, 'v=1', '/more')).to.equal('https://x.test/a/more?utm_source=news&v=1');
  });
});

describe('a Location that would be too long', () => {
  const LONG = 'a'.repeat(5000);
  const at = (destination: string, utm: Utm | null, query: string, path = '') =>
    locationOf(compileTarget(destination, utm), query, path);

  it('has the visitor’s parameters that fit', () => {
    expect(at('https://x.test/#c', null, `v=${LONG}&w=${LONG}&x=1`)).to.equal(`https://x.test/?v=${LONG}&x=1#c`);
    const ten = 'é'.repeat(900);
    expect(at('https://x.test/', null, `v=${ten}&w=${ten}`), 'as they are sent').to.match(
      /^https:\/\/x\.test\/\?v=[^&]+$/,
    );
    expect(at('https://x.test/', null, 'a=1'.repeat(5000))).to.equal('https://x.test/');
    const room = MAX_URL_BYTES - 'https://x.test/?v=#c'.length;
    expect(at('https://x.test/#c', null, `v=${'a'.repeat(room)}`)).to.have.length(MAX_URL_BYTES);
    expect(at('https://x.test/#c', null, `v=${'a'.repeat(room + 1)}`)).to.equal('https://x.test/#c');
  });

  it('has the utm parameters that fit, and no path that does not', () => {
    const utm = { source: LONG, medium: LONG, campaign: 'x' };
    expect(at('https://x.test/', utm, '')).to.equal(`https://x.test/?utm_source=${LONG}&utm_campaign=x`);
    expect(at(`https://x.test/${LONG}?a=1`, null, 'v=1', `/${LONG}`)).to.equal(`https://x.test/${LONG}?a=1&v=1`);
  });

  it('is the stored one if that is too long already', () => {
    const stored = `https://x.test/${'a'.repeat(9000)}`;
    expect(at(stored, { source: 'x' }, 'v=1', '/y')).to.equal(stored);
  });
});

describe('any Location', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map(encodeURIComponent);
  const value = fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent);
  const own = fc.array(
    fc.tuple(name, value).map(([n, v]) => `${n}=${v}`),
    { maxLength: 4 },
  );
  const destination = fc.record({ start: fc.constantFrom('https://x.test', 'https://x.test/a/b', 'myapp://x/y'), own });
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('%', '&', '=', '+', '#', '?', '%2', '%ff', '\r\n', ' ', 'a', '\ud800', '"', '\\'), {
        maxLength: 20,
      })
      .map((parts) => parts.join('')),
  );
  const text = fc.option(fc.string({ unit: 'binary', maxLength: 10 }));
  const utm = fc.option(fc.record({ source: text, medium: text, campaign: text, term: text, content: text }));

  it('is a URL of visible ASCII that begins with the destination’s own parameters and ends with its fragment', () => {
    fc.assert(
      fc.property(destination, utm, anything, (stored, ofLink, query) => {
        const before = stored.own.length === 0 ? stored.start : `${stored.start}?${stored.own.join('&')}`;
        const location = locationOf(compileTarget(`${before}#frag`, ofLink), query);
        expect(location).to.match(/^[\x21-\x7e]+$/);
        expect(location.startsWith(before)).to.equal(true);
        expect(new URL(location).hash).to.equal('#frag');
        const names = [...new URL(before).searchParams.keys()];
        const repeated = [...new URL(location).searchParams.keys()].filter((key) => names.includes(key));
        expect(repeated, 'no name of the destination comes again').to.deep.equal(names);
      }),
    );
  });

  it('keeps a forwarded path below the destination’s own', () => {
    fc.assert(
      fc.property(anything, anything, (path, query) => {
        const location = new URL(locationOf(compileTarget('https://x.test/a/b', null), query, path));
        expect(location.host).to.equal('x.test');
        expect(location.pathname).to.match(/^\/a\/b(?:\/|$)/);
      }),
    );
  });
});
