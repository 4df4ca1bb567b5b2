// stores: none
import { expect } from 'chai';
import { ROUTING_SCHEMA } from '../../../schema/links/routingSchema.ts';
import { compileValidator } from '../../../schema/validate.ts';
import { compileConditions, failedCondition } from '../../../src/routing/conditions.ts';
import {
  languageOf,
  languageProblem,
  referrerHostOf,
  referrerHostProblem,
} from '../../../src/routing/conditionValues.ts';
import { COUNTRIES, countryOf, countryProblem } from '../../../src/routing/countries.ts';
import { impossibleRule } from '../../../src/routing/impossibleRule.ts';
import { parseVisitor } from '../../../src/routing/visitor.ts';
import { expectShort } from '../../support/expectShort.ts';

type Table = [given: string, read: string | null, advice?: RegExp][];

function expectAll(table: Table, read: (text: string) => string | null, problem: (text: string) => string | null) {
  for (const [given, expected, advice] of table) {
    expect(read(given), given).to.equal(expected);
    if (expected !== null) expect(problem(given), given).to.equal(null);
    else expect(problem(given), given).to.match(advice ?? /^Must be /);
  }
}

describe('values of conditions', () => {
  it('are countries as ISO 3166-1 assigns them, however they are written', () => {
    const table: Table = [
      ...([' de ', 'UK', 'uk', 'EL', 'DD', 'FX', 'VD', 'XK'].map((given, at) => [
        given,
        ['DE', 'GB', 'GB', 'GR', 'DE', 'FR', 'VN', 'XK'][at],
      ]) as Table),
      ['SU', null, /not a country any more: write RU/],
      ['YU', null, /write RS/],
      ['CS', null, /write CZ/],
      ['Germany', null, /write DE/],
      ['united kingdom', null, /write GB/],
      ['EU', null],
      ['XX', null],
      ['ZZ', null],
      ['DEU', null],
      ['', null],
    ];
    expectAll(table, countryOf, countryProblem);
    expect(COUNTRIES.size).to.equal(250);
  });

  it('are tags of languages in their canonical form', () => {
    const table: Table = [
      ['pt_BR', 'pt-br'],
      [' EN ', 'en'],
      ['en-UK', 'en-gb'],
      ['iw', 'he'],
      ['deu', 'de'],
      ['zh_hant_tw', 'zh-hant-tw'],
      ['es-419', 'es-419'],
      ['ca-valencia', 'ca-valencia'],
      ['yue-jyutping', 'yue-jyutping'],
      ['de-1996', 'de-1996'],
      ['portuguese', null, /write pt\./],
      ['german', null, /write de\./],
      ['français', null, /write fr\./],
      ['de-Germany', null, /write de\./],
      ['en-XX', null, /write en\./],
      ['xx', null],
      ['und', null],
      ['*', null],
      [`de-${'x-'.repeat(50)}a`, null],
    ];
    expectAll(table, languageOf, languageProblem);
  });

  it('are hosts as browsers send them, also those of URLs', () => {
    const table: Table = [
      [' T.co. ', 't.co'],
      ['https://t.co', 't.co'],
      ['https://u:p@t.co:8080/a?b#c', 't.co'],
      ['t.co/path', 't.co'],
      ['www.t.co', 'www.t.co'],
      ['münchen.example', 'xn--mnchen-3ya.example'],
      ['android-app://com.example.App/', 'com.example.app'],
      ['[2001:DB8::1]:80', '[2001:db8::1]'],
      ['.t.co', null, /write t\.co\./],
      ['*.t.co', null, /write t\.co\./],
      ['a b', null],
      ['user@t.co', null],
      ['mailto:a@b.example', null],
      ['https://', null],
      ['a..b', null],
    ];
    expectAll(table, referrerHostOf, referrerHostProblem);
  });

  it('match visitors in every spelling in which a rule may have them stored', () => {
    const visitor = (acceptLanguage: string, referer: string) => ({
      visitor: parseVisitor({ acceptLanguage, referer }, 'GET'),
      now: 0,
      country: 'GB',
      parameters: new Map(),
    });
    const table: [Parameters<typeof compileConditions>[0], string, string][] = [
      [{ country: ['UK'] }, 'de', ''],
      [{ language: ['pt_BR'] }, 'pt-BR', ''],
      [{ language: ['he'] }, 'iw', ''],
      [{ language: ['iw'] }, 'he-IL', ''],
      [{ referrer_host: [' https://T.co/x'] }, 'de', 'https://t.co/abc'],
    ];
    for (const [when, language, referer] of table) {
      const rule = { conditions: compileConditions(when), exceptions: [] };
      expect(failedCondition(rule, visitor(language, referer)), JSON.stringify(when)).to.equal(null);
    }
    const legacy = { conditions: compileConditions({ language: ['portuguese'], country: ['SU'] }), exceptions: [] };
    expect(failedCondition(legacy, visitor('pt', ''))?.name).to.equal('country');
  });
});

describe('a rule that no visitor can fit', () => {
  const [JAN, FEB] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00.000+00:00'];
  const impossible: [Parameters<typeof impossibleRule>[0], string][] = [
    [{ after: FEB, before: JAN }, 'before'],
    [{ after: JAN, before: '2026-01-01T01:00:00+01:00' }, 'before'],
    [{ after: FEB, not: { after: JAN } }, 'not.after'],
    [{ before: JAN, not: { before: FEB } }, 'before'],
    [{ platform: ['ios'], not: { platform: ['android', 'ios'] } }, 'not.platform'],
    [{ country: ['GB'], not: { country: ['uk'] } }, 'not.country'],
    [{ language: ['de-AT', 'de'], not: { language: ['DE'] } }, 'not.language'],
    [{ referrer_host: ['t.co'], not: { referrer_host: ['https://t.co/'] } }, 'not.referrer_host'],
    [{ query: [{ name: 'v', value: '2' }], not: { query: [{ name: 'v' }] } }, 'not.query'],
  ];
  for (const [when, field] of impossible)
    it(`is found: ${JSON.stringify(when)}`, () => expect(impossibleRule(when)?.field).to.equal(field));

  const possible: Parameters<typeof impossibleRule>[0][] = [
    { after: JAN, before: FEB },
    { after: JAN, not: { after: FEB } },
    { platform: ['ios', 'android'], not: { platform: ['ios'] } },
    { language: ['de'], not: { language: ['de-AT'] } },
    { language: ['den'], not: { language: ['de'] } },
    { query: [{ name: 'v' }], not: { query: [{ name: 'v', value: '2' }] } },
    { platform: ['ios'], not: { country: ['DE'] } },
  ];
  for (const when of possible)
    it(`is another one: ${JSON.stringify(when)}`, () => expect(impossibleRule(when)).to.equal(null));
});

describe('as many conditions as a link may have', () => {
  const check = compileValidator(ROUTING_SCHEMA);
  const routing = (name: string, count: number, wanted: (at: number) => string, excluded: (at: number) => string) => {
    const list = (valueAt: (at: number) => string) => Array.from({ length: count }, (_, at) => valueAt(at));
    const rule = {
      destination: 'https://example.com',
      when: { [name]: list(wanted), not: { [name]: list(excluded) } },
    };
    return { rules: Array.from({ length: 50 }, () => rule) };
  };
  /** Ten thousand tags, each another one. */
  const routingOfTags = (tagAt: (at: number) => string) => {
    let number = 10_000;
    const next = () => tagAt(number++);
    const lists = () => Array.from({ length: 100 }, next);
    const rule = () => ({
      destination: 'https://example.com',
      when: { language: lists(), not: { language: lists() } },
    });
    return { rules: Array.from({ length: 50 }, rule) };
  };
  const expectRefused = (rules: object) => void expect(check(rules)).to.not.be.empty;
  const last = (count: number, value: string, others: string) => (at: number) => (at === count - 1 ? value : others);

  it('are checked at once, where the last exclusion is what makes each rule impossible', () =>
    expectShort([
      ['languages', async () => expectRefused(routing('language', 100, () => 'de-AT', last(100, 'de', 'fr-FR')))],
      [
        'words for languages',
        async () =>
          expectRefused(
            routing(
              'language',
              100,
              (at) => `german${at}`,
              (at) => `frenchy${at}`,
            ),
          ),
      ],
      ['texts for languages', async () => expectRefused(routingOfTags((at) => `x-a${at}`))],
      ['tags that name a variant twice', async () => expectRefused(routingOfTags((at) => `de-a${at}-a${at}`))],
      ['countries', async () => expectRefused(routing('country', 250, () => 'GB', last(250, 'UK', 'DE')))],
      [
        'hosts',
        async () => expectRefused(routing('referrer_host', 100, () => 'https://t.co/', last(100, 't.co', 'a.example'))),
      ],
    ]));
});
