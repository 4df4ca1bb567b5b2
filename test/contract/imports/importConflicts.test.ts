// stores: each
import { expect } from 'chai';
import type { Api } from '../../support/api.ts';
import { importCsv } from '../../support/imports.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

const URL = 'https://www.example.com';

describe('imports of links that are there already', () => {
  const world = useOwnWorld({ IMPORT_POLL_MILLISECONDS: '20', IMPORT_BATCH_ROWS: '3' });
  let teamId: string;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });

  const tenant = (): Promise<Tenant> => makeTenant(world, teamId);

  const links = async (api: Api) => (await api('GET', '/links?order=asc&limit=100')).body.data;

  const file = (id: string) =>
    `id,external_id,slug,destination,title,notes\n${id},,,${URL}/id,by id,\n,conflict-e,,${URL}/e,by external id,\n` +
    `,,there/${id},${URL}/s,by slug,\n,,,${URL}/new,new,\n`;

  const project = async () => {
    const mine = await tenant();
    const make = (body: object) =>
      mine.api('POST', '/links', { destination: URL, title: 'old', notes: 'n', ...body }).then(({ body }) => body);
    const byId = await make({});
    await make({ external_id: 'conflict-e' });
    await make({ slug: `there/${byId.id}` });
    return { ...mine, csv: file(byId.id) };
  };

  const titles = async (api: Api) => (await links(api)).map(({ title }: { title: string }) => title);

  it('skips them', async () => {
    const { api, csv } = await project();
    const { counts } = await importCsv(api, csv);
    expect(counts).to.deep.equal({ rows: 4, created: 1, updated: 0, skipped: 3, failed: 0 });
    expect(await titles(api)).to.deep.equal(['old', 'old', 'old', 'new']);
  });

  it('updates them, and an empty cell clears', async () => {
    const mine = await project();
    const done = await importCsv(mine.api, mine.csv, { on_conflict: 'update' });
    expect(done.counts).to.deep.equal({ rows: 4, created: 1, updated: 3, skipped: 0, failed: 0 });
    const all = await links(mine.api);
    expect(await titles(mine.api)).to.deep.equal(['by id', 'by external id', 'by slug', 'new']);
    expect(all.map(({ notes }: { notes: string | null }) => notes)).to.deep.equal([null, null, null, null]);
    const [event] = (await mine.api('GET', '/events?type=links.imported')).body.data;
    expect(event.data).to.deep.include({ action: 'create', link_ids: all.map(({ id }: { id: string }) => id) });
    expect((await mine.api('GET', '/events?type=link.updated')).body.data).to.have.length(3);
  });

  it('fails them', async () => {
    const { api, csv } = await project();
    const done = await importCsv(api, csv, { on_conflict: 'fail' });
    expect(done.counts).to.deep.equal({ rows: 4, created: 1, updated: 0, skipped: 0, failed: 3 });
    const { body } = await api('GET', `/imports/${done.id}/errors`);
    const places = body
      .trim()
      .split('\n')
      .map((line: string) => line.split(',').slice(0, 2).join());
    expect(places).to.deep.equal(['row,column', '2,id', '3,external_id', '4,slug']);
  });

  it('and for rows that name the same link twice', async () => {
    const twice = `external_id,destination,title\n${`twice,${URL},`}a\ntwice,${URL},b\ntwice,${URL},b\nonce,${URL},c\n`;
    for (const [on_conflict, counts, shown] of [
      ['skip', { created: 2, updated: 0, skipped: 2, failed: 0 }, ['a', 'c']],
      ['update', { created: 2, updated: 1, skipped: 1, failed: 0 }, ['b', 'c']],
      ['fail', { created: 2, updated: 0, skipped: 0, failed: 2 }, ['a', 'c']],
    ] as const) {
      const { api } = await tenant();
      expect((await importCsv(api, twice, { on_conflict })).counts).to.deep.equal({ rows: 4, ...counts });
      expect(await titles(api)).to.deep.equal(shown);
    }
  });

  it('and never touches those of another project', async () => {
    const other = await tenant();
    const theirs = (await other.api('POST', '/links', { destination: URL, slug: 'theirs', external_id: 'x' })).body;
    const { api } = await tenant();
    const csv = `id,external_id,slug,destination\n${theirs.id},x,mine,${URL}\n,,theirs,${URL}\n`;
    const done = await importCsv(api, csv, { on_conflict: 'update' });
    expect(done.counts).to.deep.equal({ rows: 2, created: 1, updated: 0, skipped: 0, failed: 1 });
    expect((await api('GET', `/imports/${done.id}/errors`)).body).to.match(/\n3,slug,/);
    expect((await other.api('GET', `/links/${theirs.id}`)).body).to.deep.equal(theirs);
  });
});
