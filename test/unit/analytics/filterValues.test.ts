// stores: any
import { expect } from 'chai';
import fc from 'fast-check';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { readValues } from '../../../src/analytics/decideValues.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { CodedError } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { written } from '../../support/filterText.ts';
import { type ClickStore, openClickStore } from './clickStore.ts';

const hard = fc
  .array(fc.constantFrom('a', ',', '-', '\\', ' ', 'null', '\t', '\u00a0', '"', '%', 'é', '\n'), { minLength: 1 })
  .map((parts) => parts.join(''));
const values = fc.uniqueArray(fc.option(fc.oneof(hard, fc.string({ minLength: 1 }))), { minLength: 1, maxLength: 5 });

describe('values of filters', () => {
  it('can all be written, alone and in lists, chosen and excluded', () => {
    fc.assert(
      fc.property(values, fc.boolean(), (wanted, isExcluding) => {
        const text = `${isExcluding ? '-' : ''}${wanted.map(written).join(',')}`;
        expect(readValues(text)).to.deep.equal({ values: wanted, isExcluding });
      }),
    );
  });

  it('are read with spaces around them, and as they always were where nothing needs a backslash', () => {
    const table: [string, (string | null)[], boolean][] = [
      [' DE , AT ', ['DE', 'AT'], false],
      ['- US,CA', ['US', 'CA'], true],
      ['-US,-CA', ['US', 'CA'], true],
      ['C:\\dir', ['C:\\dir'], false],
      ['a\\', ['a\\'], false],
      ['-\\-5', ['-5'], true],
      ['Null', ['Null'], false],
    ];
    for (const [text, expected, isExcluding] of table)
      expect(readValues(text), text).to.deep.equal({ values: expected, isExcluding });
    for (const text of ['', ' ', 'a,', ',a', 'a,,b', '-', 'a,-b'])
      expect(readValues(text), text).to.have.property('problem');
  });
});

describe('Analytics filtered by what they print', () => {
  const DAY = { start: new Date('2026-10-01T00:00:00Z'), end: new Date('2026-10-02T00:00:00Z') };
  const KEYS = ['spring, summer', '-minus5', ' edges ', 'a\\b', 'null', '\\null', 'plain', 'Ä,-', null];
  let store: ClickStore;

  before(async () => {
    store = await openClickStore();
    const at = '2026-10-01T10:00:00.000Z';
    const tags = ['one, two', '-tag', 'null'].map((name) => ({ id: newId('tag'), name, nameKey: name.toLowerCase() }));
    await inTransaction((transaction) =>
      Tag.bulkCreate(
        tags.map((tag) => ({ ...tag, projectId: store.projectId })),
        { transaction },
      ),
    );
    for (const [index, key] of KEYS.entries())
      for (let times = 0; times <= index; times += 1)
        await store.click(at, {
          ...{ visitor: `${index} ${times}`, rule: key, utm: key === null ? null : { campaign: key } },
          ...{ language: key === null ? null : 'de-at', country: key === null ? null : 'GB' },
          tagIds: tags[index] ? [tags[index].id] : [],
        });
  });
  after(() => store.close());

  for (const [state, bringAbout] of [
    ['in no block', () => Promise.resolve()],
    ['in blocks', () => buildBlocks()],
  ] as const)
    it(`count the same for every value of every dimension, with clicks ${state}`, async () => {
      await bringAbout();
      for (const [groupBy, field] of [
        ['utm_campaign', 'utmCampaign'],
        ['rule', 'rule'],
        ['tag', 'tag'],
        ['country', 'country'],
        ['language', 'language'],
        ['referrer_host', 'referrerHost'],
        ['event_name', 'eventName'],
      ] as const) {
        const grouped = await store.ask({ ...DAY, groupBy });
        for (const { key, count } of grouped.data) {
          const alone = await store.ask({ ...DAY, [field]: written(key) });
          expect(alone.total.count, `${groupBy} ${key}`).to.equal(count);
          const others = await store.ask({ ...DAY, [field]: `-${written(key)}` });
          expect(others.total.count, `not ${groupBy} ${key}`).to.equal(grouped.total.count - count);
        }
      }
    });

  it('take other spellings of countries, languages and hosts, and refuse what there is not', async () => {
    const count = async (asked: object) => (await store.ask({ ...DAY, ...asked })).total.count;
    expect(await count({ country: 'uk' })).to.equal(await count({ country: 'GB' }));
    expect(await count({ language: 'de_AT' })).to.equal(await count({ language: 'de-at' }));
    for (const [asked, advice] of [
      [{ country: 'XX' }, /ISO 3166-1/],
      [{ country: 'Germany' }, /write DE/],
      [{ language: 'portuguese' }, /write pt/],
      [{ referrerHost: 'a b' }, /host/],
    ] as const) {
      const refusal = (await store.ask({ ...DAY, ...asked }).catch((error: unknown) => error)) as CodedError;
      expect(refusal).to.be.instanceOf(CodedError);
      expect(JSON.stringify(refusal.fields)).to.match(advice);
    }
  });
});
