// stores: none
import { expect } from 'chai';
import { ADVICE } from '../../../cli/advice.ts';
import { fieldOf, nested } from '../../../cli/apiFields.ts';
import { sectionsFor } from '../../../cli/docsSearch.ts';
import { jsonOf, listOf, timeOf, valuesOf } from '../../../cli/flagValues.ts';
import { lookupOf } from '../../../cli/links.ts';
import manifest from '../../../cli/manifest.json' with { type: 'json' };
import { CLIENTS, merged } from '../../../cli/mcp/clients.ts';
import { operationOf } from '../../../cli/operationOf.ts';
import { compareVersions } from '../../../cli/serverVersion.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');

describe('what is typed', () => {
  it('is a time as people write it', () => {
    for (const [text, isPast, time] of [
      ['2h', true, '2026-11-27T10:00:00.000Z'],
      ['30d', false, '2026-12-27T12:00:00.000Z'],
      ['90s', true, '2026-11-27T11:58:30.000Z'],
      ['1w', true, '2026-11-20T12:00:00.000Z'],
      ['2026-12-01', false, '2026-12-01T00:00:00Z'],
      ['2026-12-01T10:00:00+01:00', true, '2026-12-01T10:00:00+01:00'],
      ['tomorrow', true, 'tomorrow'],
    ] as const) {
      expect(timeOf(text, { isPast }, NOW), text).to.equal(time);
    }
  });

  it('is a list: repeated, with commas, or JSON', () => {
    expect(listOf('a,b', ['x'])).to.deep.equal(['x', 'a', 'b']);
    expect(listOf('["a,b", "c"]')).to.deep.equal(['a,b', 'c']);
    expect(() => listOf('[a')).to.throw('no JSON');
  });

  it('becomes query and body by the kinds of the fields, and null with --unset', async () => {
    const operation = operationOf('links.create');
    const given = { click_limit: '5', tags: ['q4'], utm: '{"source":"x"}', unset: ['title', 'expires-at'] };
    const { query, body } = await valuesOf(operation, given);
    expect(query).to.deep.equal({});
    expect(body).to.deep.equal({ click_limit: 5, tags: ['q4'], utm: { source: 'x' }, title: null, expires_at: null });
    for (const [wrong, says] of [
      [{ click_limit: 'many' }, '--click-limit takes a number'],
      [{ utm: '{' }, '--utm is no JSON'],
      [{ unset: ['destination'] }, '--unset takes click-limit'],
    ] as const) {
      const error = await valuesOf(operation, {
        ...wrong,
        unset: 'unset' in wrong ? [...wrong.unset] : undefined,
      }).catch((thrown) => thrown);
      expect(error).to.include({ exit: 'usage' });
      expect(error.message).to.contain(says);
    }
  });

  it('is JSON from a file', async () => {
    expect(await jsonOf('@package.json', '--routing')).to.include({ name: 'svc' });
  });

  it('names a link in several ways', () => {
    expect(lookupOf('https://go.example.com/a/b')).to.deep.equal({ short_url: 'https://go.example.com/a/b' });
    expect(lookupOf('go.example.com/a/b')).to.deep.equal({ domain: 'go.example.com', slug: 'a/b' });
    expect(lookupOf('localhost/a')).to.deep.equal({ domain: 'localhost', slug: 'a' });
    expect(lookupOf('127.0.0.1:80/a')).to.deep.equal({ domain: '127.0.0.1:80', slug: 'a' });
    expect(lookupOf('docs/a')).to.deep.equal({ slug: 'docs/a' });
  });

  it('is a field of svc api: text with -f, a value with -F', async () => {
    const fields = await Promise.all(
      [
        'utm[source]=mail',
        'tags[]=a',
        'tags[]=b',
        'n=5',
        'on=true',
        'none=null',
        'word=nullable',
        '__proto__[x]=1',
      ].map((text) => fieldOf(text, true)),
    );
    expect(JSON.parse(JSON.stringify(nested(fields.slice(0, -1))))).to.deep.equal({
      utm: { source: 'mail' },
      tags: ['a', 'b'],
      n: 5,
      on: true,
      none: null,
      word: 'nullable',
    });
    nested(fields);
    expect({}).to.not.have.property('x');
    expect((await fieldOf('n=5', false)).value).to.equal('5');
  });
});

describe('what svc knows', () => {
  it('says what to do about every error of the server', () => {
    for (const code of Object.keys(manifest.errors)) expect(ADVICE, code).to.have.property(code);
  });

  it('compares versions by their numbers', () => {
    expect(compareVersions('1.10.0', '1.9.3')).to.be.above(0);
    expect(compareVersions('1.2.0', '1.2.0')).to.equal(0);
    expect(compareVersions('0.9.9', '1.0.0')).to.be.below(0);
  });

  it('finds sections of the documentation that have every word', () => {
    const text =
      '# Guide\nAll.\n## Webhooks\nSigned with a secret.\n```sh\n# no heading\n```\n## Links\nA secret link.';
    expect(sectionsFor(text, ['webhooks', 'secret'])).to.deep.equal([
      '## Webhooks\nSigned with a secret.\n```sh\n# no heading\n```',
    ]);
    expect(sectionsFor(text, ['secret'])).to.have.length(2);
    expect(sectionsFor(text, ['nothing'])).to.deep.equal([]);
  });

  it('adds itself to the files of programs for assistants, and changes nothing else', () => {
    const entry = { command: 'svc', args: ['mcp'] };
    const { claude, codex } = CLIENTS as Required<typeof CLIENTS>;
    if (!claude || !codex) throw new Error('rows are missing');
    const json = merged(claude, '{"mcpServers":{"other":{"command":"x"}},"more":1}', 'svc', entry);
    expect(JSON.parse(json)).to.deep.equal({ mcpServers: { other: { command: 'x' }, svc: entry }, more: 1 });
    const toml = '# mine\n[mcp_servers.svc]\ncommand = "old"\n\n[other]\na = 1\n';
    expect(merged(codex, toml, 'svc', entry)).to.equal(
      '# mine\n[mcp_servers.svc]\ncommand = "svc"\nargs = ["mcp"]\n\n[other]\na = 1\n',
    );
    expect(merged(codex, '[other]\na = 1\n', 'svc', entry)).to.equal(
      '[other]\na = 1\n\n[mcp_servers.svc]\ncommand = "svc"\nargs = ["mcp"]\n',
    );
  });
});
