// stores: each
import { expect } from 'chai';
import { dialect } from '../../../src/db/connection/database.ts';
import { inListValue } from '../../../src/db/dialects.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { log } from '../../../src/kernel/log.ts';
import { linksByExternalIds, linksByIds } from '../../../src/links/linkStore.ts';
import type { Link } from '../../../src/models/Link.ts';
import type { Project } from '../../../src/models/Project.ts';
import { makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('links by their ids', () => {
  let store: OpenStore;
  let project: Project;
  before(async () => {
    store = await openStore();
    project = await makeProject();
  });
  after(() => store.close());

  /** Statements of `work`, as they go to the store. */
  const statementsOf = async (work: () => Promise<unknown>) => {
    const statements: string[] = [];
    const trace = log.trace;
    log.trace = (({ sql }: { sql: string }) => void statements.push(sql)) as typeof log.trace;
    await work().finally(() => {
      log.trace = trace;
    });
    return statements;
  };

  it('are those of the project alone', async () => {
    const links: Link[] = [];
    for (let at = 0; at < 60; at += 1) {
      links.push(await makeLink(project.id, { slug: `l${at}`, externalId: `ext ${at}` }));
    }
    const foreign = await makeLink((await makeProject()).id, { slug: 'foreign', externalId: 'foreign' });
    const ids = links.map(({ id }) => id);
    const found = await linksByIds(project, [...ids, ...ids, foreign.id, 'lnk_unknown']);
    expect([...found.keys()].sort()).to.deep.equal(ids.sort());
    const locked = await inTransaction((transaction) => linksByIds(project, ids, { transaction, isLocked: true }));
    expect([...locked.keys()]).to.deep.equal(ids.sort());
    const named = await linksByExternalIds(project, ['ext 7', 'ext 59', 'foreign', '']);
    expect([...named].map(([key, { slug }]) => [key, slug]).sort()).to.deep.equal([
      ['ext 59', 'l59'],
      ['ext 7', 'l7'],
    ]);
  });

  it('are looked up one by one, however many the project has', async function () {
    if (dialect() !== 'sqlite') this.skip();
    const plan = async (ask: () => Promise<unknown>) => {
      const [sql] = await statementsOf(ask);
      return JSON.stringify(await queryRaw(`EXPLAIN QUERY PLAN ${sql}`, [inListValue(['x']), project.id]));
    };
    expect(await plan(() => linksByIds(project, ['x']))).to.match(
      /SEARCH links USING INDEX sqlite_autoindex_links_1 \(id=/,
    );
    expect(await plan(() => linksByExternalIds(project, ['x']))).to.match(/project_id=\? AND external_id=\?/);
  });
});
