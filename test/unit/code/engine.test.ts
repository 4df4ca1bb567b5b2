// stores: none
import { expect } from 'chai';
import { apply } from '../../../sdk/code/apply.ts';
import { ServerModel } from '../../support/code/ServerModel.ts';
import { applied, briefly, planOf, stackOf } from '../../support/code/stacks.ts';

const HEAD = 'version: 1\nstack: marketing\n';
const FILE = `${HEAD}
defaults: { links: { domain: go.example.com, tags: [q4], utm: { source: newsletter } } }
tags:
  q4: { color: blue }
links:
  spring: https://example.com/sale
  docs:
    slug: handbook
    destination: https://docs.example.com
    utm: { campaign: x }
    routing: { rules: [{ when: { country: [DE] }, destination: https://docs.example.com/de }] }
    password: { env: HANDBOOK_PASSWORD }
    ignore: [title, expires_at]
  generated:
    destination: https://example.com/x
    expires_at: 2030-01-01T00:00:00+01:00
webhooks:
  orders: { url: https://hooks.example.com/links, event_types: [link.clicked], scope: { tag: Q4 } }
  one: { url: https://hooks.example.com/one, scope: { link: docs } }
`;

describe('links as code: plan and apply', () => {
  it('creates what the file says, and finds nothing to do afterwards', async () => {
    const server = new ServerModel();
    const plan = await applied(stackOf(FILE), server);
    expect(briefly(plan)).to.deep.equal([
      'create tag q4',
      'create link docs',
      'create link generated',
      'create link spring',
      'create webhook one',
      'create webhook orders',
    ]);
    const docs = await server.findLink({ external_id: 'marketing/docs' });
    expect(docs).to.include({ slug: 'handbook', managed_by: 'code:marketing', password_protected: true });
    expect(docs?.utm).to.include({ source: 'newsletter', campaign: 'x' });
    const again = await planOf(stackOf(FILE), server);
    expect(briefly(again)).to.deep.equal([]);
    expect(again.counts.unchanged).to.equal(6);
  });

  it('shows drift in any field, and puts it right', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const spring = await server.findLink({ external_id: 'marketing/spring' });
    await server.update('link', spring?.id ?? '', { notes: 'by hand', destination: 'https://example.com/other' });
    const plan = await applied(stackOf(FILE), server);
    expect(plan.actions[0]?.changes).to.deep.equal([
      { field: 'destination', from: 'https://example.com/other', to: 'https://example.com/sale' },
      { field: 'notes', from: 'by hand', to: null },
    ]);
    expect(briefly(await planOf(stackOf(FILE), server))).to.deep.equal([]);
  });

  it('leaves fields alone that the file ignores', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const docs = await server.findLink({ external_id: 'marketing/docs' });
    await server.update('link', docs?.id ?? '', { title: 'By hand', expires_at: '2031-01-01T00:00:00.000Z' });
    expect(briefly(await planOf(stackOf(FILE), server))).to.deep.equal([]);
    await applied(stackOf(FILE.replace('/de }', '/at }')), server);
    expect(await server.findLink({ external_id: 'marketing/docs' })).to.include({ title: 'By hand' });
  });

  it('moves a link with its id', async () => {
    const server = new ServerModel();
    await applied(stackOf(`${HEAD}links: { old: https://example.com/1 }`), server);
    const before = await server.findLink({ external_id: 'marketing/old' });
    const stack = stackOf(
      `${HEAD}links: { new: { slug: old, destination: https://example.com/1 } }\nmoved: [{ from: old, to: new }]`,
    );
    expect(briefly(await applied(stack, server))).to.deep.equal(['move link new']);
    expect((await server.findLink({ external_id: 'marketing/new' }))?.id).to.equal(before?.id);
    expect(briefly(await planOf(stack, server))).to.deep.equal([]);
  });

  it('prunes only when asked, archives, and takes back what returns to the file', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const less = stackOf(HEAD);
    const plan = await planOf(less, server);
    expect([briefly(plan), plan.counts.kept]).to.deep.equal([[], 6]);
    expect(briefly(await applied(less, server, { prune: 'archive' }))).to.deep.equal([
      'release tag q4',
      'archive link docs',
      'archive link generated',
      'archive link spring',
      'archive webhook one',
      'archive webhook orders',
    ]);
    expect(briefly(await planOf(less, server, { prune: 'archive' }))).to.deep.equal([]);
    expect(briefly(await applied(stackOf(FILE), server, { adopt: true }))).to.have.length(6);
    expect(briefly(await planOf(stackOf(FILE), server))).to.deep.equal([]);
  });

  it('deletes a tag only where no link of others has it', async () => {
    const server = new ServerModel();
    await applied(
      stackOf(
        `${HEAD}tags: { own: {}, shared: {} }\nlinks: { a: { destination: https://example.com, tags: [own, shared] } }`,
      ),
      server,
    );
    server.addLink({ destination: 'https://example.com', tags: ['shared'] });
    const plan = await applied(stackOf(HEAD), server, { prune: 'delete' });
    expect(briefly(plan)).to.deep.equal(['delete tag own', 'release tag shared', 'delete link a']);
  });

  it('takes nothing over that belongs to nobody or to another stack', async () => {
    const server = new ServerModel();
    server.addLink({ slug: 'promo', destination: 'https://example.com/promo' });
    server.addLink({
      slug: 'theirs',
      destination: 'https://example.com',
      managed_by: 'code:other',
      external_id: 'other/theirs',
    });
    const stack = stackOf(`${HEAD}links: { promo: https://example.com/promo, theirs: https://example.com }`);
    const plan = await planOf(stack, server);
    expect(briefly(plan)).to.deep.equal(['conflict link promo', 'conflict link theirs']);
    expect(plan.actions.map(({ note }) => note)).to.deep.equal([
      "go.example.com/promo belongs to nobody's stack; --adopt takes it over",
      'go.example.com/theirs is managed by code:other; take it out of one of the two.',
    ]);
    const adopting = await planOf(stack, server, { adopt: true });
    expect(briefly(adopting)).to.deep.equal(['adopt link promo', 'conflict link theirs']);
    await apply(adopting, server, { resolveSecret: async () => '' });
    expect(briefly(await planOf(stack, server))).to.deep.equal(['conflict link theirs']);
  });

  it('adopts without changing anything but the owner, and says what the next plan changes', async () => {
    const server = new ServerModel();
    server.addLink({ slug: 'promo', destination: 'https://example.com/old', title: 'Theirs', archived: true });
    await server.create('tag', { name: 'Q4', color: 'red' });
    await server.create('domain', { hostname: 'go.other.com', not_found_destination: 'https://example.com/404' });
    const { id } = await server.create('webhook', { url: 'https://example.com/hook', event_types: ['link.created'] });
    await server.turn(id, 'disable');
    const stack = stackOf(
      `${HEAD}tags: { q4: { color: blue } }\ndomains: { go.other.com: {} }\nlinks: { promo: https://example.com/new }\n` +
        'webhooks: { w: { url: https://example.com/hook } }',
    );
    const rows = () =>
      structuredClone([server.links, server.tags, server.domains, server.webhooks].map((map) => [...map.values()]));
    const before = rows();
    const plan = await planOf(stack, server, { adopt: true });
    expect(briefly(plan)).to.deep.equal([
      'adopt tag q4',
      'adopt domain go.other.com',
      'adopt link promo',
      'adopt webhook w',
    ]);
    expect(plan.actions.map(({ note }) => note)).to.deep.equal([
      'as it is; the next plan changes color, name',
      'as it is; the next plan changes not_found_destination',
      'as it is; the next plan changes destination, title, archived',
      'as it is; the next plan changes event_types, enabled',
    ]);
    await apply(plan, server, { resolveSecret: async () => '' });
    const withoutOwner = (all: object[][]) =>
      all.map((some) => some.map((row) => ({ ...row, managed_by: null, external_id: null, updated_at: null })));
    expect(withoutOwner(rows())).to.deep.equal(withoutOwner(before));
    expect(
      rows()
        .flat()
        .map((row) => (row as { managed_by: string }).managed_by),
    ).to.deep.equal(Array(4).fill('code:marketing'));
    await applied(stack, server);
    expect(briefly(await planOf(stack, server))).to.deep.equal([]);
  });

  it('names both where an entry may be about two', async () => {
    const server = new ServerModel();
    const enabled = await server.create('webhook', { url: 'https://example.com/hook' });
    const disabled = await server.create('webhook', { url: 'https://example.com/hook' });
    await server.turn(disabled.id, 'disable');
    const named = server.addLink({ destination: 'https://example.com/1', external_id: 'marketing/promo' });
    const there = server.addLink({ destination: 'https://example.com/2', slug: 'promo' });
    server.addLink({ destination: 'https://example.com/3', slug: 'known', external_id: 'crm-7' });
    const stack = stackOf(
      `${HEAD}links: { promo: https://example.com/2, known: https://example.com/3 }\nwebhooks: { w: { url: https://example.com/hook } }`,
    );
    const { actions } = await planOf(stack, server, { adopt: true });
    expect(actions.map(({ verb, note }) => [verb, note])).to.deep.equal([
      ['conflict', 'go.example.com/known has the external_id crm-7; write external_id: crm-7 to take it over'],
      [
        'conflict',
        `${named.id} has the external_id marketing/promo, and ${there.id} the address go.example.com/promo; only one of them can be this link`,
      ],
      [
        'conflict',
        `${enabled.id} (enabled) and ${disabled.id} (disabled) may both be this webhook; give the one that is meant the external_id marketing/w`,
      ],
    ]);
  });

  it('gives addresses away before it takes them, and refuses circles', async () => {
    const server = new ServerModel();
    await applied(stackOf(`${HEAD}links: { a: https://example.com/a, b: https://example.com/b }`), server);
    const chain = stackOf(
      `${HEAD}links: { a: { slug: b, destination: https://example.com/a }, b: { slug: c, destination: https://example.com/b }, c: { slug: a, destination: https://example.com/c } }`,
    );
    await applied(chain, server);
    expect(briefly(await planOf(chain, server))).to.deep.equal([]);
    const circle = stackOf(
      `${HEAD}links: { a: { slug: c, destination: https://example.com/a }, b: { slug: b, destination: https://example.com/b }, c: { slug: a, destination: https://example.com/c } }`,
    );
    const plan = await planOf(circle, server);
    expect(plan.counts.conflict).to.equal(2);
    expect(plan.counts.unchanged).to.equal(1);
  });

  it('holds back what looks like the wrong file', async () => {
    const server = new ServerModel();
    const links = (count: number) =>
      Array.from({ length: count }, (_, at) => `  l${at}: https://example.com/${at}`).join('\n');
    await applied(stackOf(`${HEAD}links:\n${links(20)}`), server);
    const fewer = stackOf(`${HEAD}links:\n${links(13)}`);
    const plan = await planOf(fewer, server, { prune: 'archive' });
    expect(plan.guard).to.equal(
      '7 of 20 (35 %) would be archived or deleted, more than 30 %; --allow-many permits it.',
    );
    let refused = '';
    await apply(plan, server, { resolveSecret: async () => '' }).catch((error: Error) => {
      refused = error.message;
    });
    expect(refused).to.equal(plan.guard);
    expect((await planOf(fewer, server, { prune: 'archive', allowMany: true })).guard).to.equal(null);
    expect((await planOf(stackOf(`${HEAD}links:\n${links(14)}`), server, { prune: 'archive' })).guard).to.equal(null);
  });

  it('gives a stack another name', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const renamed = stackOf(FILE.replace('stack: marketing', 'stack: growth'));
    expect((await planOf(renamed, server)).counts.conflict).to.be.greaterThan(0);
    const ids = [...server.links.keys()];
    await applied(renamed, server, { fromStack: 'marketing' });
    expect([...server.links.keys()]).to.deep.equal(ids);
    expect(briefly(await planOf(renamed, server))).to.deep.equal([]);
  });

  it('goes on where a run died', async () => {
    const server = new ServerModel();
    const many = Array.from({ length: 1200 }, (_, at) => `  l${at}: https://example.com/${at}`).join('\n');
    const stack = stackOf(`${FILE.split('links:\n')[0]}links:\n${many}`);
    for (const deadAfter of [1, 2, 3]) {
      server.beforeWrite = () => {
        if (server.writes >= deadAfter) throw new Error('killed');
      };
      await apply(await planOf(stack, server, { allowMany: true }), server, { resolveSecret: async () => '' }).catch(
        () => {},
      );
    }
    server.beforeWrite = () => {};
    await applied(stack, server);
    expect(server.links.size).to.equal(1200);
    expect(briefly(await planOf(stack, server))).to.deep.equal([]);
  });

  it('asks a number of requests that does not grow with the links', async () => {
    const server = new ServerModel();
    const many = Array.from({ length: 3000 }, (_, at) => `  l${at}: https://example.com/${at}`).join('\n');
    const stack = stackOf(`${HEAD}links:\n${many}`);
    await planOf(stack, server);
    expect(server.requests).to.be.lessThan(8);
  });

  it('makes no link anew in part that was deleted meanwhile', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const plan = await planOf(stackOf(FILE.replace('country: [DE]', 'country: [AT]')), server);
    const docs = await server.findLink({ external_id: 'marketing/docs' });
    await server.removeLinks([docs?.id ?? '']);
    const result = await apply(plan, server, { resolveSecret: async () => '' });
    expect(result.failed.map(({ name, code }) => [name, code])).to.deep.equal([['docs', 'not_found']]);
    expect(await server.findLink({ external_id: 'marketing/docs' })).to.equal(null);
    expect(briefly(await planOf(stackOf(FILE), server))).to.include('create link docs');
  });

  it('says in a digest whether two plans are the same', async () => {
    const server = new ServerModel();
    await applied(stackOf(FILE), server);
    const other = stackOf(FILE.replace('/sale', '/sale2'));
    const digest = (await planOf(other, server)).digest;
    expect((await planOf(other, server)).digest).to.equal(digest);
    const spring = await server.findLink({ external_id: 'marketing/spring' });
    await server.update('link', spring?.id ?? '', { title: 'x' });
    expect((await planOf(other, server)).digest).not.to.equal(digest);
  });
});
