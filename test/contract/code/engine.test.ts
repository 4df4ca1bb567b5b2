// stores: any
import { expect } from 'chai';
import { Svc } from '../../../sdk/client/index.ts';
import { apiOf } from '../../../sdk/code/apiOf.ts';
import { apply } from '../../../sdk/code/apply.ts';
import { engineOf } from '../../../sdk/code/engineOf.ts';
import { exportStack } from '../../../sdk/code/exportStack.ts';
import { CODE_SCHEMA } from '../../../sdk/code/schema.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Team } from '../../../src/models/Team.ts';
import { applied, briefly, planOf, stackOf } from '../../support/code/stacks.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const HEAD = 'version: 1\nstack: marketing\n';

/** Every kind of field, each spelled otherwise than the server answers it. */
const FILE = `${HEAD}
defaults: { links: { tags: [Q4], utm: { source: newsletter } } }
tags:
  q4: { color: "#00FF00" }
links:
  spring: https://Example.com/%7Esale?a=1#b
  docs:
    slug: Hand/Book
    destination: https://docs.example.com
    tags: [zeta, Alpha, ALPHA]
    title: "  spaces and \\u00e9 "
    notes: "two\\nlines"
    data: { b: 1, a: { c: [1, 2.5, null] } }
    utm: { campaign: x, term: null }
    preview: { title: T }
    routing:
      split: [{ destination: https://example.com/1, weight: 1 }, { weight: 2, destination: https://example.com/2, name: b }]
      rules: [{ when: { country: [DE, AT], after: 2026-01-01T00:00:00+01:00 }, destination: https://docs.example.com/de }]
      ios: { fallback: store }
    starts_at: 2026-01-01T00:00:00+01:00
    expires_at: 2030-01-01T00:00:00.5Z
    expired_destination: https://example.com/over
    click_limit: 5
    match_window_seconds: 3600
    password: { env: PASSWORD }
    ignore: [title]
  generated: { destination: https://example.com/x, data: {}, utm: {}, preview: null }
domains:
  Go.Example.COM: { not_found_destination: https://example.com/404 }
  apps.example.com: { kind: web }
webhooks:
  all: { url: http://127.0.0.1:9999/all }
  orders: { url: http://127.0.0.1:9999/orders, event_types: [link.updated, link.clicked], scope: { tag: Q4 }, include_bots: true }
  one: { url: http://127.0.0.1:9999/one, description: One, scope: { link: docs } }
`;

describe('links as code on a server', () => {
  const world = useWorld();
  let mine: Tenant;
  let key: string;
  /** Slugs are unique on a domain: each project has one of its own. */
  let domains = 0;

  const keyWith = async (...scopes: string[]): Promise<string> =>
    (await mine.api('POST', '/keys', { name: 'code', scopes })).body.key;
  const codeApi = (of = key) => apiOf(new Svc({ key: of, url: world.origin }));
  const linkOf = async (name: string) =>
    (await mine.api('GET', `/links/ext_${encodeURIComponent(`marketing/${name}`)}`)).body;
  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    domains += 1;
    await addLinkDomain(mine.projectId, `own-${domains}.example.net`);
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: `own-${domains}.example.net` });
    key = await keyWith('*');
  });

  it('finds nothing to do after apply, whatever fields the file has', async () => {
    const plan = await applied(stackOf(FILE), codeApi());
    expect(plan.counts.create).to.equal(9);
    expect(plan.warnings).to.have.length(2);
    const again = await planOf(stackOf(FILE), codeApi());
    expect(again.actions.map(({ name, changes }) => ({ name, changes }))).to.deep.equal([]);
    expect(again.counts.unchanged).to.equal(9);
    const docs = await linkOf('docs');
    expect(docs).to.include({ slug: 'Hand/Book', managed_by: 'code:marketing', password_protected: true });
    const all = (await mine.api('GET', '/webhooks?external_id=marketing/all')).body.data;
    expect(all).to.have.length(1);
  });

  it('puts drift right in every field, and leaves what is ignored', async () => {
    await applied(stackOf(FILE), codeApi());
    const { id } = await linkOf('docs');
    const drift = {
      ...{ title: 'by hand', notes: null, data: { b: 2 }, utm: null, preview: null, routing: null, starts_at: null },
      ...{ expires_at: null, expired_destination: null, click_limit: 6, match_window_seconds: null, tags: ['zeta'] },
      ...{ destination: 'https://example.com/other', slug: 'elsewhere', password: null },
    };
    expect((await mine.api('PATCH', `/links/${id}`, drift)).status).to.equal(200);
    await mine.api('POST', `/links/${id}/archive`);
    const plan = await applied(stackOf(FILE), codeApi());
    const fields = plan.actions.flatMap(({ changes }) => changes.map(({ field }) => field)).sort();
    expect(fields).to.deep.equal([...Object.keys(drift).filter((field) => field !== 'title'), 'archived'].sort());
    expect(briefly(await planOf(stackOf(FILE), codeApi()))).to.deep.equal([]);
    expect(await linkOf('docs')).to.include({ id, title: 'by hand', password_protected: true, archived_at: null });
  });

  it('looks after tags, domains and webhooks', async () => {
    await applied(stackOf(FILE), codeApi());
    const changed = FILE.replace('#00FF00', 'red')
      .replace('/404', '/lost')
      .replace('scope: { link: docs }', 'scope: { tag: zeta }');
    expect(briefly(await applied(stackOf(changed), codeApi()))).to.deep.equal([
      'change tag q4',
      'change domain go.example.com',
      'change webhook one',
    ]);
    const [hook] = (await mine.api('GET', '/webhooks?external_id=marketing/one')).body.data;
    await mine.api('POST', `/webhooks/${hook.id}/disable`);
    expect(briefly(await applied(stackOf(changed), codeApi()))).to.deep.equal(['change webhook one']);
    expect(briefly(await planOf(stackOf(changed), codeApi()))).to.deep.equal([]);
    expect((await planOf(stackOf(changed.replace('kind: web', 'kind: link')), codeApi())).actions[0]?.note).to.equal(
      'is a domain of kind web, which cannot be changed; delete it first',
    );
  });

  it('adopts what it exported without a change', async () => {
    for (const slug of ['Promo', 'a/b', 'plain'])
      await mine.api('POST', '/links', { slug, destination: 'https://example.com/1', tags: ['t'], title: slug });
    await mine.api('POST', '/links', {
      destination: 'https://example.com/2',
      external_id: 'own-id',
      utm: { source: 's' },
    });
    await mine.api('POST', '/webhooks', { url: 'http://127.0.0.1:9999/x', event_types: ['link.clicked'] });
    const { yaml } = await exportStack(codeApi(), { stack: 'marketing' }, CODE_SCHEMA);
    const stack = stackOf(yaml);
    const plan = await applied(stack, codeApi(), { adopt: true });
    expect(plan.actions.map(({ verb, changes }) => [verb, changes])).to.deep.equal(
      plan.actions.map(() => ['adopt', []]),
    );
    expect(plan.counts.adopt).to.be.at.least(6);
    expect(briefly(await planOf(stack, codeApi()))).to.deep.equal([]);
  });

  it('moves links with their ids, also of a whole stack', async () => {
    await applied(stackOf(FILE), codeApi());
    const { id } = await linkOf('spring');
    const moved = FILE.replace('  spring: https', '  summer: https').replace(
      'links:\n',
      'moved: [{ from: spring, to: summer }]\nlinks:\n',
    );
    expect(briefly(await applied(stackOf(moved), codeApi()))).to.deep.equal(['move link summer']);
    expect((await linkOf('summer')).id).to.equal(id);
    const renamed = stackOf(moved.replace('stack: marketing', 'stack: growth'));
    await applied(renamed, codeApi(), { fromStack: 'marketing' });
    expect(briefly(await planOf(renamed, codeApi()))).to.deep.equal([]);
    expect((await mine.api('GET', `/links/${id}`)).body).to.include({
      external_id: 'growth/summer',
      managed_by: 'code:growth',
    });
  });

  it('tries a plan on the server without keeping anything', async () => {
    await applied(stackOf(`${HEAD}links: { a: https://example.com }`), codeApi());
    await mine.api('POST', '/links', { slug: 'taken-elsewhere', destination: 'https://example.com' });
    const stack = stackOf(`${HEAD}links:
  a: { slug: a, destination: https://example.com/new }
  b: https://example.com/b
  bad: { destination: "ftp://example.com" }
  moved: { slug: c, destination: https://example.com }`);
    const before = (await mine.api('GET', '/links')).body.data;
    const plan = await planOf(stack, codeApi());
    const result = await apply(plan, codeApi(), { resolveSecret: async () => 'x', dryRun: true });
    expect(result.failed.map(({ name, code }) => [name, code])).to.deep.equal([['bad', 'validation_failed']]);
    expect((await mine.api('GET', '/links')).body.data).to.deep.equal(before);
    const real = await apply(plan, codeApi(), { resolveSecret: async () => 'x' });
    expect([real.done, real.failed.length]).to.deep.equal([3, 1]);
    expect(briefly(await planOf(stack, codeApi()))).to.deep.equal(['create link bad']);
  });

  it('plans with a key that only reads, and names the scope that apply needs', async () => {
    await applied(stackOf(`${HEAD}links: { a: https://example.com }`), codeApi());
    const reader = codeApi(await keyWith('links:read', 'tags:read', 'domains:read', 'webhooks:read'));
    const plan = await planOf(stackOf(FILE), reader);
    expect(plan.counts).to.include({ create: 9, kept: 1 });
    const result = await apply(plan, reader, { resolveSecret: async () => 'correct horse' });
    expect(result.done).to.equal(0);
    expect(new Set(result.failed.map(({ code }) => code))).to.deep.equal(new Set(['insufficient_scope']));
    expect(result.failed.find(({ kind }) => kind === 'link')?.message).to.include('links:write');
    expect(result.failed).to.have.length(9);
  });

  it('needs no scope of kinds that the file does not have', async () => {
    const writer = codeApi(await keyWith('links:read', 'links:write'));
    const stack = stackOf(`${HEAD}links: { a: https://example.com }`);
    expect(briefly(await applied(stack, writer))).to.deep.equal(['create link a']);
    expect(briefly(await planOf(stack, writer, { prune: 'archive' }))).to.deep.equal([]);
    const refused = await planOf(stackOf(FILE), writer).catch((error) => error);
    expect(refused.code).to.equal('insufficient_scope');
  });

  it('plans for a team that is read-only, and stops at the first write', async () => {
    const set = (status: 'active' | 'read_only', readOnlyReason: string | null) =>
      inTransaction((transaction) =>
        Team.update({ status, readOnlyReason }, { where: { id: mine.teamId }, transaction }),
      );
    await set('read_only', 'Moving');
    try {
      const plan = await planOf(stackOf(FILE), codeApi());
      expect(plan.counts.create).to.equal(9);
      const result = await apply(plan, codeApi(), { resolveSecret: async () => 'correct horse' });
      expect(result).to.deep.include({ done: 0, failed: [] });
      expect(result.stopped?.code).to.equal('team_read_only');
    } finally {
      await set('active', null);
    }
  });

  it('asks the same few requests for one link and for a thousand', async () => {
    const many = (version: string) =>
      stackOf(
        `${HEAD}links:\n${Array.from({ length: 1000 }, (_, at) => `  l${at}: https://example.com/${version}/${at}`).join('\n')}`,
      );
    const asked: string[] = [];
    const api = apiOf(
      new Svc({ key, url: world.origin, onAttempt: ({ method, path }) => asked.push(`${method} ${path}`) }),
    );
    const first = await planOf(many('1'), api);
    expect(asked.length).to.be.at.most(15);
    await apply(first, codeApi(), { resolveSecret: async () => '' });
    asked.length = 0;
    const second = await planOf(many('2'), api, { allowMany: true });
    expect(second.counts.change).to.equal(1000);
    expect(asked).to.have.length(5);
    asked.length = 0;
    await apply(second, api, { resolveSecret: async () => '' });
    expect(asked).to.deep.equal(['PUT /api/v1/links/bulk']);
    expect((await planOf(many('2'), api)).counts.unchanged).to.equal(1000);
  });

  it('serves documents without files, for tools', async () => {
    const operations = new Map<string, { method: string; path: string }>(
      Object.entries((await import('../../../sdk/client/operationTable.ts')).OPERATIONS),
    );
    const performer = {
      async perform(
        operation: string,
        {
          path = {},
          query = {},
          body,
          isDryRun,
        }: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown; isDryRun?: boolean },
      ) {
        const row = operations.get(operation);
        if (!row) throw new Error(operation);
        const target = row.path
          .replace('/api/v1', '')
          .replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
        const search = new URLSearchParams({ ...query, ...(isDryRun ? { dry_run: 'true' } : {}) });
        const reply = await mine.api(row.method, `${target}?${search}`, body);
        return reply.status < 400
          ? { ok: true as const, body: reply.body }
          : { ok: false as const, refusal: reply.body.error };
      },
    };
    const engine = engineOf(CODE_SCHEMA, () => 'links.example.com');
    const document = `${HEAD}tags: { x: {} }\nlinks: { a: https://example.com, b: https://example.com/b }`;
    const plan = await engine.plan(document, { prune: false }, performer);
    expect(plan).to.include({ records: 3, removals: 0, conflicts: 0 });
    expect(plan.text).to.include('+ link a');
    expect((await engine.plan(document, { prune: false }, performer)).digest).to.equal(plan.digest);
    expect(await engine.apply(plan.plan, performer)).to.deep.equal({ done: 3, failed: [] });
    const gone = await engine.plan(HEAD, { prune: true }, performer);
    expect([gone.removals, gone.records]).to.deep.equal([2, 3]);
    const many = Array.from({ length: 12 }, (_, at) => `  l${at}: https://example.com/${at}`).join('\n');
    const large = await engine.plan(`${HEAD}links:\n${many}`, { prune: false }, performer);
    expect((await engine.apply(large.plan, performer)).done).to.equal(12);
    const held = await engine.plan(HEAD, { prune: true }, performer);
    const { done, failed } = await engine.apply(held.plan, performer);
    expect([done, failed[0]?.message]).to.deep.equal([
      0,
      'too_many_changes: 14 of 15 (93 %) would be archived or deleted, more than 30 %; --allow-many permits it.',
    ]);
    const refused = await engine.plan('version: 2', { prune: false }, performer).catch((error) => error);
    expect(refused.problems.map(({ path }: { path: string }) => path)).to.deep.equal([
      'stack (line 1, column 1)',
      'version (line 1, column 1)',
    ]);
  });
});
