// stores: none
import { expect } from 'chai';
import { compileLink, type LinkRow, type StoredRule } from '../../../src/routing/compiledLink.ts';
import { decide, type RequestFacts } from '../../../src/routing/decide.ts';
import type { Visitor } from '../../../src/routing/visitor.ts';
import { compiled, NOW, storedLink, visitor } from './stored.ts';

function request(parts: Partial<RequestFacts> = {}): RequestFacts {
  return { query: '', country: null, addressKey: 'address', ...parts };
}

const OLD = new Date(NOW - 1);
const LATER = new Date(NOW + 1);

const KINDS: [string, Partial<LinkRow>, object][] = [
  ['a flagged one, also when archived', { flaggedAt: OLD, archivedAt: OLD }, { kind: 'flagged' }],
  ...[
    { destination: 'MS-MSDT:/id' },
    { expiredDestination: 'tel:1' },
    { routing: { rules: [{ destination: 'search-ms:query' }] } },
    { routing: { split: [{ destination: 'vscode://x', weight: 1 }] } },
    { routing: { ios: { fallback: 'itms-services://x' } } },
  ].map((parts): [string, Partial<LinkRow>, object] => [
    `one from before its scheme was refused, ${JSON.stringify(parts)}`,
    parts,
    { kind: 'flagged' },
  ]),
  ['an archived one, also when expired', { archivedAt: OLD, expiresAt: OLD }, { kind: 'not_found' }],
  ['one that has not started', { startsAt: LATER }, { kind: 'not_found' }],
  ['one that expired before it starts', { startsAt: LATER, expiresAt: OLD }, { kind: 'not_found' }],
  ['an expired one', { expiresAt: OLD }, { kind: 'expired', destination: null }],
  [
    'one over its limit',
    { clickLimit: 2, clicks: 2, expiredDestination: 'https://x.test/ü' },
    { kind: 'expired', destination: 'https://x.test/%C3%BC' },
  ],
  [
    'an active one',
    { startsAt: OLD, expiresAt: LATER, clickLimit: 2, clicks: 1 },
    { kind: 'redirect', destination: 'https://example.com/', rule: null, configured: 'https://example.com/' },
  ],
];

describe('the outcome for a link', () => {
  it('unknown: not_found', () => {
    expect(decide(null, visitor(), NOW, request())).to.deep.equal({ kind: 'not_found' });
  });

  for (const [what, parts, expected] of KINDS) {
    it(`${what}: ${JSON.stringify(expected)}`, () => {
      expect(decide(compiled(parts), visitor(), NOW, request())).to.deep.equal(expected);
    });
  }

  it('sees clicks counted in the meantime', () => {
    const link = compiled({ clickLimit: 1 });
    expect(decide(link, visitor(), NOW, request()).kind).to.equal('redirect');
    link.clicks = 1;
    expect(decide(link, visitor(), NOW, request()).kind).to.equal('expired');
  });

  it('keeps other fields of the row', () => {
    expect(compileLink({ ...storedLink(), passwordHash: 'x' })).to.include({ passwordHash: 'x', slug: 'spring' });
  });
});

type When = NonNullable<StoredRule['when']>;

/** [condition, visitor, request, whether the rule matches] */
const CONDITIONS: [When, Partial<Visitor>, Partial<RequestFacts>, boolean][] = [
  [{}, {}, {}, true],
  [{ platform: ['ios', 'android'] }, { platform: 'android' }, {}, true],
  [{ platform: ['ios', 'android'] }, { platform: 'macos' }, {}, false],
  [{ platform: [] }, { platform: 'macos' }, {}, true],
  [{ device: ['tablet'] }, { device: 'tablet' }, {}, true],
  [{ device: ['tablet'] }, { device: 'mobile' }, {}, false],
  [{ country: ['DE', 'at'] }, {}, { country: 'AT' }, true],
  [{ country: ['DE'] }, {}, { country: 'US' }, false],
  [{ country: ['DE'] }, {}, { country: null }, false],
  [{ language: ['de'] }, { language: 'de' }, {}, true],
  [{ language: ['de'] }, { language: 'de-at' }, {}, true],
  [{ language: ['de-AT'] }, { language: 'de-at' }, {}, true],
  [{ language: ['de-AT'] }, { language: 'de' }, {}, false],
  [{ language: ['d'] }, { language: 'de' }, {}, false],
  [{ language: ['de'] }, { language: null }, {}, false],
  [{ referrer_host: ['T.co'] }, { referrerHost: 't.co' }, {}, true],
  [{ referrer_host: ['t.co'] }, { referrerHost: 'not.co' }, {}, false],
  [{ referrer_host: ['t.co'] }, { referrerHost: null }, {}, false],
  [{ referrer_host: ['t.co'] }, { referrerHost: 'www.t.co' }, {}, false],
  [{ referrer_host: ['München.test'] }, { referrerHost: 'xn--mnchen-3ya.test' }, {}, true],
  [{ query: [{ name: 'v', value: '2' }] }, {}, { query: 'v=1&v=2' }, true],
  [{ query: [{ name: 'v', value: '2' }] }, {}, { query: 'v=1' }, false],
  [{ query: [{ name: 'v', value: 'a b' }] }, {}, { query: '%76=a+b' }, true],
  [{ query: [{ name: 'v', value: null }] }, {}, { query: 'v' }, true],
  [{ query: [{ name: 'v', value: '' }] }, {}, { query: 'v' }, true],
  [{ query: [{ name: 'v' }, { name: 'w' }] }, {}, { query: 'w=%' }, true],
  [{ query: [{ name: 'v' }] }, {}, { query: '' }, false],
  [{ query: [{ name: 'v', value: '1=2' }] }, {}, { query: 'v=1=2' }, true],
  [{ query: [{ name: 'v', value: '1' }] }, {}, { query: 'v=1&v=2&v=3' }, true],
  [{ query: [{ name: 'V' }] }, {}, { query: 'v=1' }, false],
  [{ query: [{ name: 'ü€', value: '%' }] }, {}, { query: 'ü€=%' }, true],
  [{ query: [{ name: '\ufffd', value: '€%zz' }] }, {}, { query: '%ff=€%zz' }, true],
  [{ after: '2026-06-01T00:00:00.000Z' }, {}, {}, true],
  [{ after: '2026-06-01T00:00:00.001Z' }, {}, {}, false],
  [{ before: '2026-06-01T00:00:00.000Z' }, {}, {}, false],
  [{ before: '2026-06-01T02:00:00.001+02:00' }, {}, {}, true],
  [{ platform: ['ios'], country: ['DE'] }, { platform: 'ios' }, { country: 'DE' }, true],
  [{ platform: ['ios'], country: ['DE'] }, { platform: 'ios' }, { country: 'US' }, false],
  [{ not: { referrer_host: ['t.co'] } }, { referrerHost: 't.co' }, {}, false],
  [{ not: { referrer_host: ['t.co'] } }, { referrerHost: null }, {}, true],
  [{ not: { referrer_host: ['t.co'], country: ['US'] } }, { referrerHost: 'x.test' }, { country: 'US' }, false],
  [{ not: { query: [{ name: 'v' }] } }, {}, { query: 'v=1' }, false],
  [{ country: ['DE'], not: { language: ['en'] } }, { language: 'de' }, { country: 'DE' }, true],
];

describe('a rule', () => {
  for (const [when, who, asked, matches] of CONDITIONS) {
    it(`${JSON.stringify(when)} ${matches ? 'matches' : 'leaves'} ${JSON.stringify({ ...who, ...asked })}`, () => {
      const link = compiled({ routing: { rules: [{ name: 'r', when, destination: 'https://r.test/' }] } });
      const outcome = decide(link, visitor(who), NOW, request(asked));
      expect(outcome).to.include({ kind: 'redirect', rule: matches ? 'r' : null });
    });
  }

  it('comes before later rules, the split and the destination, and is named by its position', () => {
    const link = compiled({
      routing: {
        rules: [
          { name: 'one', when: { country: ['DE'] }, destination: 'https://one.test/' },
          { name: null, when: null, destination: 'https://two.test/' },
          { when: {}, destination: 'https://three.test/' },
        ],
        split: [{ name: 'a', destination: 'https://a.test/', weight: 1 }],
      },
    });
    const outcome = decide(link, visitor(), NOW, request({ country: 'US', query: 'v=1' }));
    expect(outcome).to.include({
      destination: 'https://two.test/?v=1',
      rule: 'rule 2',
      configured: 'https://two.test/',
    });
  });
});

describe('what a visitor brings', () => {
  const query = 'v=1&utm_source=x';

  it('is forwarded to rules, split and destination alike, with the link’s utm', () => {
    const link = compiled({ utm: { source: 'news' }, destination: 'https://x.test/?a=1#f' });
    expect(decide(link, visitor(), NOW, request({ query }))).to.deep.equal({
      kind: 'redirect',
      destination: 'https://x.test/?a=1&utm_source=news&v=1#f',
      rule: null,
      configured: 'https://x.test/?a=1#f',
    });
  });

  it('is dropped if forward_query is false', () => {
    const link = compiled({ routing: { forward_query: false }, utm: { source: 'news' } });
    const outcome = decide(link, visitor(), NOW, request({ query }));
    expect(outcome).to.include({ destination: 'https://example.com/?utm_source=news' });
  });

  it('includes the rest of the path only if forward_path is true', () => {
    const asked = request({ query, path: '/more' });
    const forwarding = compiled({ routing: { forward_path: true } });
    expect(decide(forwarding, visitor(), NOW, asked)).to.include({ destination: `https://example.com/more?${query}` });
    expect(decide(compiled(), visitor(), NOW, asked)).to.include({ destination: `https://example.com/?${query}` });
  });
});
