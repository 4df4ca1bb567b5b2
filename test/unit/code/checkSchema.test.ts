// stores: none
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkSchema } from '../../../sdk/code/checkSchema.ts';
import { entrySchema, fieldTable } from '../../../sdk/code/fields.ts';
import { CODE_SCHEMA } from '../../../sdk/code/schema.ts';

/** The library by which the server validates, as the judge. */
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
for (const format of ['destination', 'slug', 'host', 'uri', 'fallback']) ajv.addFormat(format, true);
ajv.addFormat('date-time', { type: 'string', validate: (text: string) => !Number.isNaN(Date.parse(text)) });
ajv.addKeyword({
  keyword: 'x-max-bytes',
  validate: (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit,
});
const isValid = ajv.compile(CODE_SCHEMA);

const odd = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 40,
    '',
    ' ',
    'x',
    'DE',
    'https://example.com',
    'red',
    '*',
    'link.clicked',
    '2030-01-01T00:00:00Z',
  ),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
  fc.array(fc.constantFrom<unknown>('x', 'x', 1, { env: 'A' }), { maxLength: 3 }),
  fc.constantFrom<unknown>(
    { env: 'A' },
    { file: 'a', env: 'b' },
    { tag: 't' },
    { link: 'l' },
    { source: 's' },
    { x: 1 },
    'y'.repeat(600),
  ),
  fc.constantFrom<unknown>(
    { rules: [{ when: { country: ['DE'] }, destination: 'https://example.com' }] },
    { rules: [{ when: {}, destination: 'https://example.com' }] },
    { split: [{ destination: 'https://example.com', weight: 1 }] },
    { ios: { fallback: 'store' }, android: null },
    { ios: { fallback: 'nowhere' } },
  ),
);

describe('links as code: the schema', () => {
  it('is judged as by the validator of the server', () => {
    const fields = (section: 'links' | 'tags' | 'domains' | 'webhooks') =>
      Object.keys(entrySchema(CODE_SCHEMA, section).properties as object);
    const entry = (section: Parameters<typeof fields>[0]) =>
      fc.oneof(odd, fc.dictionary(fc.constantFrom(...fields(section), 'unknown'), odd, { maxKeys: 4 }));
    const name = fc.constantFrom('a', 'b/c', 'B', '', '-', 'x'.repeat(101));
    const file = fc.record(
      {
        version: fc.constantFrom<unknown>(1, 1, 1, 2, '1'),
        stack: fc.constantFrom<unknown>('main', 'main', 'Main', ''),
        links: fc.dictionary(name, entry('links'), { maxKeys: 2 }),
        tags: fc.dictionary(name, entry('tags'), { maxKeys: 2 }),
        domains: fc.dictionary(name, entry('domains'), { maxKeys: 2 }),
        webhooks: fc.dictionary(name, entry('webhooks'), { maxKeys: 2 }),
        moved: fc.array(fc.oneof(odd, fc.record({ from: name, to: name })), { maxLength: 2 }),
        defaults: fc.record({ links: entry('links'), webhooks: entry('webhooks') }, { requiredKeys: [] }),
        other: odd,
      },
      { requiredKeys: [] },
    );
    // Half of them have one section alone, so that many are valid.
    const section = fc.constantFrom('links', 'tags', 'domains', 'webhooks', 'moved', 'defaults');
    const single = fc
      .tuple(file, section)
      .map(([value, name]) => ({ version: 1, stack: 'main', [name]: value[name as 'links'] }));
    const mixed = fc.oneof(file, single);
    let valid = 0;
    fc.assert(
      fc.property(mixed, (given) => {
        const value = JSON.parse(JSON.stringify(given));
        const judged = isValid(value);
        valid += judged ? 1 : 0;
        expect(checkSchema(CODE_SCHEMA, value).length === 0, JSON.stringify([value, isValid.errors])).to.equal(judged);
      }),
      { numRuns: 3000 },
    );
    expect(valid).to.be.greaterThan(100);
  });

  it('judges each field alone as the validator does', () => {
    for (const section of ['links', 'tags', 'domains', 'webhooks'] as const) {
      const properties = entrySchema(CODE_SCHEMA, section).properties as object;
      const needed = { links: { destination: 'https://example.com' }, webhooks: { url: 'https://example.com' } };
      for (const field of Object.keys(properties)) {
        fc.assert(
          fc.property(odd, (value) => {
            const entry = { ...needed[section as 'links'], [field]: value };
            const whole = { version: 1, stack: 's', [section]: { a: entry } };
            expect(checkSchema(CODE_SCHEMA, whole).length === 0, JSON.stringify([whole, isValid(whole)])).to.equal(
              isValid(whole),
            );
          }),
          { numRuns: 60 },
        );
      }
    }
  });

  it('throws for a keyword that it does not know', () => {
    expect(() => checkSchema({ type: 'string', contentEncoding: 'base64' }, 'x')).to.throw('contentEncoding');
  });

  it('knows every field that the server takes, and its default', () => {
    const table = fieldTable(CODE_SCHEMA);
    expect(
      Object.fromEntries(Object.entries(table).map(([kind, fields]) => [kind, Object.fromEntries(fields)])),
    ).to.deep.equal({
      tag: { color: null },
      domain: { expired_destination: null, not_found_destination: null, root_destination: null },
      link: {
        ...{ click_limit: null, data: {}, destination: null, expired_destination: null, expires_at: null },
        ...{ match_window_seconds: null, notes: null, preview: null, routing: null, starts_at: null, tags: [] },
        ...{ title: null, utm: null },
      },
      webhook: {
        ...{ batch: null, description: null, event_types: ['*'], include_bots: false, max_in_flight: 10, url: null },
      },
    });
  });
});
