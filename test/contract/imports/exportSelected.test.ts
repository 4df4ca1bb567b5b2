// stores: any
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const EXPORT = `query ($projectId: ID!, $ids: [ID!], $tags: [String!], $cursor: String, $spreadsheet: Boolean) {
  exportLinks(projectId: $projectId, ids: $ids, tags: $tags, cursor: $cursor, spreadsheet: $spreadsheet) {
    csv nextCursor
  }
}`;
const UNKNOWN = 'lnk_01kaaaaaaaaaaaaaaaaaaaaaaa';

describe('the export of selected links', () => {
  const world = useWorld();
  let mine: Tenant;
  let cookie: string;
  let foreign: string;
  const ids: string[] = [];

  const ask = (variables: Record<string, unknown>, by = cookie) =>
    graphql(world.origin, EXPORT, { projectId: mine.projectId, ...variables }, by);
  const titles = (csv: string) => (parse(csv, { columns: true }) as { title: string }[]).map(({ title }) => title);
  const exported = async (variables: Record<string, unknown>) => {
    const { data, errors } = await ask(variables);
    expect(errors).to.equal(undefined);
    return titles(data.exportLinks.csv);
  };

  before(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    cookie = await ownerSession(world);
    for (const title of ['one', '=1+1', 'three']) {
      const tags = title === 'three' ? ['last'] : [];
      ids.push((await mine.api('POST', '/links', { destination: 'https://example.com/', title, tags })).body.id);
    }
    const others = await makeTenant(world);
    foreign = (await others.api('POST', '/links', { destination: 'https://example.com/', title: 'foreign' })).body.id;
  });

  it('holds these links alone, oldest first, whatever their order in the request', async () => {
    expect(await exported({ ids: [ids[2], ids[0]] })).to.deep.equal(['one', 'three']);
    expect(await exported({ ids: [ids[1]] })).to.deep.equal(['=1+1']);
    expect(await exported({ ids: [ids[1]], spreadsheet: true })).to.deep.equal(["'=1+1"]);
    expect(await exported({})).to.deep.equal(['one', '=1+1', 'three']);
  });

  it('keeps the other filters', async () => {
    expect(await exported({ ids: [ids[0], ids[2]], tags: ['last'] })).to.deep.equal(['three']);
    expect(await exported({ ids: [ids[0]], tags: ['last'] })).to.deep.equal([]);
  });

  it('leaves out links of others and links that are gone, as if their ids were unknown', async () => {
    expect(await exported({ ids: [foreign, ids[0], UNKNOWN, 'nonsense'] })).to.deep.equal(['one']);
    const [alone, unknown] = await Promise.all([ask({ ids: [foreign] }), ask({ ids: [UNKNOWN] })]);
    expect(alone.data.exportLinks).to.deep.equal(unknown.data.exportLinks);
    const { id } = (await mine.api('POST', '/links', { destination: 'https://example.com/', title: 'gone' })).body;
    await mine.api('DELETE', `/links/${id}`);
    expect(await exported({ ids: [id, ids[2]] })).to.deep.equal(['three']);
  });

  it('refuses whoever does not belong to the project, and lists that are empty, too long or name one twice', async () => {
    const others = await makeTenant(world);
    const stranger = await memberSession(world, others.teamId, 'owner');
    const refused = await ask({ ids: [ids[0]] }, stranger);
    expect(refused.errors?.[0]?.extensions.code).to.equal('not_found');
    const many = Array.from({ length: 1001 }, (_, at) => `lnk_${at}`);
    for (const wrong of [[], many, [ids[0], ids[0]], ['x'.repeat(41)]]) {
      const { data, errors } = await ask({ ids: wrong });
      expect([data, errors?.[0]?.extensions.code]).to.deep.equal([null, 'validation_failed']);
    }
  });

  it('comes in parts that together hold each of a thousand links once', async () => {
    const tenant = await makeTenant(world, mine.teamId);
    const rows = Array.from({ length: 1001 }, (_, at) => ({
      id: `lnk_${tenant.projectId.slice(-20)}${String(at).padStart(6, '0')}`,
      projectId: tenant.projectId,
      domain: `${tenant.projectId.slice(-8)}.example.com`,
      slug: `part-${at}`,
      title: `part ${at}`,
      destination: 'https://example.com/',
      data: {},
    }));
    await inTransaction((transaction) => Link.bulkCreate(rows, { transaction }));
    const asked = rows.slice(1).map(({ id }) => id);
    let csv = '';
    let cursor: string | null = null;
    do {
      const reply = await ask({ projectId: tenant.projectId, ids: asked, cursor });
      csv += reply.data.exportLinks.csv;
      cursor = reply.data.exportLinks.nextCursor;
    } while (cursor !== null);
    expect(titles(csv).sort()).to.deep.equal(
      rows
        .slice(1)
        .map(({ title }) => title)
        .sort(),
    );
  });
});
