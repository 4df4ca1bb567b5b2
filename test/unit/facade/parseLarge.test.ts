// stores: none
import { expect } from 'chai';
import { parseBody } from '../../../facade/parseJson.ts';
import type { CodedError } from '../../../src/kernel/errors.ts';

/** Spaces, which JSON allows, make any body one of those that are parsed piece by piece. */
const ROOM = ' '.repeat(600_000);

const VALUES: unknown[] = [
  {},
  { links: [] },
  { links: [{ a: 1 }, { b: [{ c: 'd' }] }, [1, [2]], 'x', null, 5, true], other: { list: [{ e: 1 }] } },
  { first: [{ a: '"]}[{\\' }, { '\\"': '\\\\' }], second: [[], [[]], {}], third: ['[', '{"', '\\'] },
  { deep: { links: [{ a: 1 }] }, text: '[{"a":1}]' },
  { links: [{ title: 'é漢\u2028😀', n: -1.5e10 }] },
  JSON.parse('{"__proto__": [{"a": 1}], "constructor": [{"b": 2}]}'),
];

describe('large bodies of JSON', () => {
  it('are read alike in one piece and in many', async () => {
    for (const value of VALUES) {
      const text = JSON.stringify(value);
      expect(await parseBody(Buffer.from(text))).to.deep.equal(value);
      for (const spaced of [
        ROOM + text,
        text + ROOM,
        text.replaceAll(/(?<=^\{)/g, ROOM),
        JSON.stringify(value, null, 4) + ROOM,
      ]) {
        expect(JSON.stringify(await parseBody(Buffer.from(spaced)))).to.equal(text);
      }
    }
  });

  it('may say a name twice: the last one counts, as everywhere', async () => {
    const body = `{"a": [{"b": 1}], "a": [{"c": 2}, {"c": 3}]${ROOM}}`;
    expect(await parseBody(Buffer.from(body))).to.deep.equal({ a: [{ c: 2 }, { c: 3 }] });
  });

  it('are refused where JSON.parse refuses them', async () => {
    const bad = [
      '{"a": [{"b": 1]}',
      '{"a": [{"b": 1}}',
      '{"a": [{"b" 1}]}',
      '{"a": [{}{}]}',
      '{"a": ["x}]}',
      '{"a": [{"b": "\n"}]}',
      '{"a": [{}]',
      '{"a": [}]}',
      '[{"a": 1}',
      '{"a": [{}]} {"b": [{}]}',
      ']{"a": [{}]}',
      '{"a": [{"b": 01}]}',
    ];
    for (const text of bad) {
      expect(() => JSON.parse(text), text).to.throw();
      for (const body of [text, text + ROOM, ROOM + text]) {
        expect(await refusal(body), text).to.include({ code: 'invalid_json' });
      }
    }
    for (const text of [`[${ROOM}]`, `5${ROOM}`, `null${ROOM}`, '"x"', `[[{"a": 1}]${ROOM}]`]) {
      expect((await refusal(text))?.message).to.include('must be a JSON object');
    }
  });

  it('nest no deeper than 64 levels, wherever they do', async () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const room of ['', ROOM]) {
      expect(await refusal(`{"a": ${nested(63)}${room}}`)).to.equal(null);
      for (const depth of [64, 65, 1000, 200_000]) {
        expect((await refusal(`{"a": ${nested(depth)}${room}}`))?.message, String(depth)).to.include('64 levels');
      }
    }
  });

  it('have no entry, and nothing around the entries, that would be parsed for long', async () => {
    const many = (count: number, sign: string) => Array.from({ length: count }, () => sign).join();
    const bodies = [
      `{"links": [{"a": "${'x'.repeat(300_000)}"}], "b": "${'y'.repeat(300_000)}"}`,
      `{"links": [[${many(1_000_000, '1')}]]}`,
      `{"links": [${many(1_000_000, '1')}]}`,
      `{"ids": [${many(1_000_000, '""')}]}`,
    ];
    for (const body of bodies) expect(await refusal(body)).to.include({ code: 'payload_too_large' });
    const rows = JSON.stringify({ links: Array.from({ length: 1000 }, () => ({ data: { text: 'z'.repeat(9000) } })) });
    expect(await refusal(rows)).to.equal(null);
    expect(
      await refusal(JSON.stringify({ ids: Array.from({ length: 1000 }, () => 'é'.repeat(255)), set: {} })),
    ).to.equal(null);
  });
});

async function refusal(text: string): Promise<CodedError | null> {
  return parseBody(Buffer.from(text)).then(
    () => null,
    (error) => error,
  );
}
