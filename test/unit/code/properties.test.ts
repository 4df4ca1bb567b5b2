// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { apply } from '../../../sdk/code/apply.ts';
import { exportStack } from '../../../sdk/code/exportStack.ts';
import { CODE_SCHEMA } from '../../../sdk/code/schema.ts';
import { ServerModel } from '../../support/code/ServerModel.ts';
import { applied, briefly, planOf, stackOf } from '../../support/code/stacks.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e/f', 'g.h'];
const url = fc.constantFrom('https://example.com/1', 'https://example.com/2', 'https://Example.com/%7Ex?a=1#b');
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const link = fc.record(
  {
    destination: url,
    slug: fc.constantFrom('s1', 's2', 's3', 'S3'),
    tags: fc.uniqueArray(fc.constantFrom('red', 'Blue', 'green'), { maxLength: 3 }),
    title: fc.option(fc.string({ maxLength: 10 })),
    data: fc.option(fc.dictionary(fc.constantFrom('x', 'y'), fc.jsonValue({ maxDepth: 1 }))),
    utm: fc.option(
      fc.record({ source: fc.option(fc.constantFrom('n', 'm')), term: fc.constant('t') }, { requiredKeys: [] }),
    ),
    preview: fc.option(fc.record({ title: fc.option(fc.constant('T')) }, { requiredKeys: [] })),
    routing: fc.option(
      fc.constantFrom(
        { forward_query: true },
        { rules: [{ when: { country: ['DE'] }, destination: 'https://example.com/de' }] },
      ),
    ),
    expires_at: fc.option(
      fc.constantFrom('2030-01-01T00:00:00Z', '2030-01-01T01:00:00+01:00', '2031-05-05T00:00:00.5Z'),
    ),
    click_limit: fc.option(fc.integer({ min: 1, max: 9 })),
    password: fc.constant({ env: 'PASSWORD' }),
    ignore: fc.constantFrom(['title'], ['data', 'tags']),
  },
  { requiredKeys: ['destination'] },
);

const document = fc.record({
  version: fc.constant(1),
  stack: fc.constantFrom('main'),
  defaults: optional(fc.constant({ links: { tags: ['red'], utm: { campaign: 'all' } } })),
  tags: optional(
    fc.dictionary(fc.constantFrom('red', 'blue'), fc.record({ color: fc.constantFrom('red', '#00ff00', null) })),
  ),
  links: fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(url, link), { maxKeys: 6 }),
  webhooks: optional(
    fc.dictionary(
      fc.constantFrom('w', 'v'),
      fc.record(
        { url, event_types: fc.constantFrom(['link.clicked'], ['*']), scope: optional(fc.constant({ tag: 'red' })) },
        { requiredKeys: ['url'] },
      ),
    ),
  ),
});

/** Files that are valid: two links with one address, and webhooks of a tag that nobody has, are none. */
const stack = document
  .map((value) => JSON.stringify(value.webhooks ? { ...value, tags: { red: {}, ...value.tags } } : value))
  .filter((text) => {
    try {
      return Boolean(stackOf(text));
    } catch {
      return false;
    }
  });

/** What somebody does in the dashboard meanwhile. */
const edit = fc.record({
  at: fc.nat(),
  set: fc.constantFrom<object>(
    { title: 'x' },
    { archived: true },
    { tags: ['green'] },
    { expires_at: null },
    { destination: 'https://example.com/9' },
    { external_id: 'mine' },
    { managed_by: null },
  ),
});

async function editLinks(server: ServerModel, edits: { at: number; set: object }[]): Promise<void> {
  for (const { at, set } of edits) {
    const ids = [...server.links.keys()];
    if (ids.length > 0) await server.update('link', ids[at % ids.length] as string, { ...set }).catch(() => {});
  }
}

describe('links as code: properties', () => {
  it('has nothing left to do once a plan is applied, whatever was there', async () => {
    await fc.assert(
      fc.asyncProperty(
        stack,
        stack,
        fc.array(edit, { maxLength: 4 }),
        fc.constantFrom('archive', 'delete', null),
        async (first, second, edits, prune) => {
          const server = new ServerModel();
          await applied(stackOf(first), server);
          await editLinks(server, edits);
          const next = stackOf(second);
          const options = { prune, adopt: true, allowMany: true } as const;
          const plan = await planOf(next, server, options);
          const result = await apply(plan, server, { resolveSecret: async () => 'correct horse' });
          expect(result.failed).to.deep.equal([]);
          const left = await planOf(next, server, options);
          // What was in the way of a conflict may be pruned now, and what was adopted is as it was.
          if (plan.counts.conflict + plan.counts.adopt === 0) expect(briefly(left)).to.deep.equal([]);
          await apply(left, server, { resolveSecret: async () => 'correct horse' });
          await apply(await planOf(next, server, options), server, { resolveSecret: async () => 'correct horse' });
          const last = briefly(await planOf(next, server, options));
          expect(last.filter((action) => !action.startsWith('conflict'))).to.deep.equal([]);
          expect(left.counts.conflict).to.be.at.most(plan.counts.conflict);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never touches what the stack does not own', async () => {
    await fc.assert(
      fc.asyncProperty(stack, stack, fc.constantFrom('archive', 'delete', null), async (first, second, prune) => {
        const server = new ServerModel();
        for (const slug of ['s1', 'a', 'other']) {
          server.addLink({
            slug,
            destination: 'https://example.com/theirs',
            external_id: `x/${slug}`,
            managed_by: slug === 'a' ? 'code:x' : null,
          });
        }
        const before = structuredClone([...server.links.values()]);
        for (const text of [first, second]) {
          const plan = await planOf(stackOf(text), server, { prune, allowMany: true });
          await apply(plan, server, { resolveSecret: async () => 'correct horse' });
        }
        const after = before.map(({ id }) => server.links.get(id));
        expect(after).to.deep.equal(before);
      }),
      { numRuns: 150 },
    );
  });

  it('exports what is adopted with an empty plan', async () => {
    await fc.assert(
      fc.asyncProperty(stack, fc.boolean(), async (text, isReleased) => {
        const server = new ServerModel();
        await applied(stackOf(text), server);
        if (isReleased) {
          for (const row of server.links.values()) Object.assign(row, { managed_by: null, external_id: null });
          for (const row of [...server.tags.values(), ...server.webhooks.values()]) row.managed_by = null;
          for (const row of server.webhooks.values()) row.external_id = null;
        }
        const { yaml } = await exportStack(server, { stack: 'main' }, CODE_SCHEMA);
        const exported = stackOf(yaml);
        const adopting = await planOf(exported, server, { adopt: true });
        const isOnlyAdoption = adopting.actions.every(({ verb, changes }) => verb === 'adopt' && changes.length === 0);
        expect(isOnlyAdoption, JSON.stringify(adopting.actions)).to.equal(true);
        await applied(exported, server, { adopt: true });
        expect(briefly(await planOf(exported, server))).to.deep.equal([]);
      }),
      { numRuns: 150 },
    );
  });

  it('goes on wherever a run died', async () => {
    await fc.assert(
      fc.asyncProperty(stack, stack, fc.nat({ max: 8 }), async (first, second, deadAfter) => {
        const server = new ServerModel();
        await applied(stackOf(first), server);
        const writes = server.writes + deadAfter;
        server.beforeWrite = () => {
          if (server.writes >= writes) throw new Error('killed');
        };
        const options = { prune: 'archive', adopt: true, allowMany: true } as const;
        const plan = await planOf(stackOf(second), server, options);
        await apply(plan, server, { resolveSecret: async () => 'correct horse' }).catch(() => {});
        server.beforeWrite = () => {};
        await apply(await planOf(stackOf(second), server, options), server, {
          resolveSecret: async () => 'correct horse',
        });
        await apply(await planOf(stackOf(second), server, options), server, {
          resolveSecret: async () => 'correct horse',
        });
        const left = briefly(await planOf(stackOf(second), server, options));
        expect(left.filter((action) => !action.startsWith('conflict'))).to.deep.equal([]);
        const ids = [...server.links.values()].map((row) => row.external_id);
        expect(new Set(ids).size).to.equal(ids.length);
      }),
      { numRuns: 200 },
    );
  });
});
