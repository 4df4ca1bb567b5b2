// stores: any
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { inRoot } from '../../support/root.ts';
import { useWorld } from '../../support/world.ts';

type Json = Record<string, unknown>;

/** Every part of the file once. */
const FILE = {
  version: 1,
  stack: 'marketing',
  defaults: { links: { domain: 'go.example.com', tags: ['q4'], utm: { source: 'newsletter' } } },
  tags: { q4: { color: 'blue' } },
  domains: { 'go.example.com': { kind: 'link', not_found_destination: 'https://example.com/404' } },
  links: {
    spring: 'https://example.com/sale',
    docs: {
      slug: 'handbook',
      destination: 'https://docs.example.com',
      routing: { rules: [{ when: { country: ['DE'] }, destination: 'https://docs.example.com/de' }] },
      password: { env: 'HANDBOOK_PASSWORD' },
      ignore: ['title', 'expires_at'],
    },
    'a/b.c_d-9': { destination: 'https://example.com/', external_id: 'my own', password: { file: 'secrets/x' } },
  },
  webhooks: { orders: { url: 'https://hooks.example.com/links', event_types: ['link.clicked'], scope: { tag: 'q4' } } },
  moved: [{ from: 'old-name', to: 'spring' }],
};

describe('/code.schema.json', () => {
  const world = useWorld();
  let schema: Json;
  let isFile: (file: unknown) => boolean;

  before(async () => {
    const response = await fetch(`${world.origin}/api/v1/code.schema.json`);
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'application/schema+json']);
    schema = (await response.json()) as Json;
    isFile = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  });

  const link = (fields: object) => ({ ...FILE, links: { x: { destination: 'https://example.com/', ...fields } } });

  it('needs no key, and takes a file with every part', () => {
    expect(schema.$id).to.match(/^http.*\/api\/v1\/code\.schema\.json$/);
    expect(isFile(FILE)).to.equal(true);
    expect(isFile({ version: 1, stack: 'm' })).to.equal(true);
    expect(isFile(link({ password: { env: 'A' } }))).to.equal(true);
  });

  const refused: Record<string, object> = {
    'an unknown part': { ...FILE, lnks: {} },
    'an unknown field of a link': link({ titel: 'x' }),
    'an unknown field of a default': { ...FILE, defaults: { links: { slug: 'x' } } },
    'a password in plain text': link({ password: 'secret' }),
    'two places of a password': link({ password: { env: 'A', file: 'b' } }),
    'the owner, which is the stack': link({ managed_by: 'code:other' }),
    'a link without a destination': { ...FILE, links: { x: { slug: 'x' } } },
    'a short form that is no URL': { ...FILE, links: { x: 'nonsense' } },
    'a name with capitals': { ...FILE, links: { Spring: 'https://example.com/' } },
    'a field to ignore that links do not have': link({ ignore: ['clicks'] }),
    'another version': { ...FILE, version: 2 },
    'no stack': { version: 1 },
    'a stack with a slash': { ...FILE, stack: 'a/b' },
    'a color that tags cannot have': { ...FILE, tags: { q4: { color: 'mauve' } } },
    'a tag that is named twice': { ...FILE, tags: { q4: { name: 'q5' } } },
    'a scope by an id': { ...FILE, webhooks: { w: { url: 'https://example.com/', scope: { tag_id: 'tag_1' } } } },
    'a move without a goal': { ...FILE, moved: [{ from: 'a' }] },
  };
  for (const [about, file] of Object.entries(refused)) {
    it(`refuses ${about}`, () => expect(isFile(file)).to.equal(false));
  }

  it('has every field of the bodies that create things, with its description', async () => {
    const document = (await world.api.as(null)('GET', '/openapi.json')).body;
    const elsewhere: Record<string, string[]> = { Link: [], Tag: ['name'], Domain: ['hostname'], Webhook: [] };
    for (const [type, left] of Object.entries(elsewhere)) {
      const { properties } = document.components.schemas[`Create${type}`] as { properties: Json };
      const wanted = Object.keys(properties).filter((name) => name !== 'managed_by' && !left.includes(name));
      const shown = (schema.$defs as Record<string, { properties: Json }>)[`Code${type}`]?.properties ?? {};
      expect(Object.keys(shown), type).to.include.members(wanted);
      for (const [name, field] of Object.entries(shown)) {
        expect((field as Json).description ?? (field as Json).$ref, `${type}.${name}`).to.be.a('string');
      }
    }
    expect(document.paths['/api/v1/code.schema.json'].get.security).to.deep.equal([]);
  });

  it('is printed for the engine as it is served', () => {
    const printed = JSON.parse(readFileSync(inRoot('sdk', 'code', 'code.schema.json'), 'utf8'));
    expect({ ...printed, $id: schema.$id }).to.deep.equal(schema);
  });
});
