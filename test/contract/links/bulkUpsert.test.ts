// stores: each
import { expect } from 'chai';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Event } from '../../../src/models/Event.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Reply } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const STACK = 'code:marketing';

interface Result {
  index: number;
  status: string;
  link: Record<string, unknown>;
  error: { code: string; fields: { path: string }[] | null } | null;
}

describe('PUT /links/bulk', () => {
  const world = useWorld();
  let mine: Tenant;

  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
  });

  const put = async (links: object[]) => {
    const { status, body } = await mine.api('PUT', '/links/bulk', { links });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as { batch_id: string; counts: Record<string, number>; results: Result[] };
  };
  const outcomes = ({ results }: { results: Result[] }) => results.map(({ status, error }) => error?.code ?? status);
  const stored = async (externalId: string) =>
    (await mine.api('GET', `/links/lookup?external_id=${encodeURIComponent(externalId)}`)).body;
  const eventsOf = async (type: string) =>
    Event.findAll({ where: { projectId: mine.projectId, type }, order: [['id', 'ASC']] });
  const audited = () => AuditEntry.findAll({ where: { projectId: mine.projectId } });
  const rows = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, n) => ({ external_id: `m/${n}`, destination: `${DESTINATION}${n}`, ...more }));

  it('creates, changes and leaves alone, each row by its external id, in the order of the list', async () => {
    await put([
      { external_id: 'm/same', destination: DESTINATION, slug: 'upsert-same', tags: ['B', 'a'], utm: { source: 's' } },
      { external_id: 'm/other', destination: DESTINATION, slug: 'upsert-other' },
    ]);
    const before = await stored('m/same');
    const body = await put([
      { external_id: 'm/new', destination: `${DESTINATION}new`, slug: 'upsert-new', managed_by: STACK },
      { external_id: 'm/same', destination: DESTINATION, slug: 'upsert-same', tags: ['A', 'b'], utm: { source: 's' } },
      { external_id: 'm/other', destination: `${DESTINATION}changed`, tags: ['x'] },
    ]);
    expect(outcomes(body)).to.deep.equal(['created', 'unchanged', 'updated']);
    expect(body.results.map(({ index }) => index)).to.deep.equal([0, 1, 2]);
    expect(body.counts).to.deep.equal({ created: 1, updated: 1, unchanged: 1, failed: 0 });
    expect(body.results[1]?.link).to.deep.equal(before);
    expect(await stored('m/same')).to.deep.equal(before);
    expect(await stored('m/new')).to.deep.equal(body.results[0]?.link);
    expect(await stored('m/other')).to.deep.equal(body.results[2]?.link);
    expect(body.results[2]?.link).to.deep.include({
      destination: `${DESTINATION}changed`,
      tags: ['x'],
      slug: 'upsert-other',
    });
    const batch = await mine.api('GET', `/links?batch_id=${body.batch_id}`);
    expect(batch.body.data.map(({ slug }: { slug: string }) => slug)).to.deep.equal(['upsert-new']);
  });

  it('gives links that are named by their ids another external id', async () => {
    const made = await put([
      { external_id: 'old/1', destination: `${DESTINATION}1`, slug: 'renamed-1' },
      { external_id: 'old/2', destination: `${DESTINATION}2` },
    ]);
    const [first, second] = made.results.map(({ link }) => link.id as string);
    const plain = (await mine.api('POST', '/links', { destination: DESTINATION })).body;
    const { id: theirs } = (await (await makeTenant(world)).api('POST', '/links', { destination: DESTINATION })).body;
    const body = await put([
      { id: first, external_id: 'new/1', title: 'Renamed', managed_by: STACK },
      { id: plain.id, external_id: 'new/plain' },
      { id: second, external_id: 'old/1' },
      { id: theirs, external_id: 'new/theirs', destination: DESTINATION },
      { id: null, external_id: 'new/null', destination: DESTINATION },
    ]);
    expect(outcomes(body)).to.deep.equal(['updated', 'updated', 'updated', 'not_found', 'validation_failed']);
    expect(await stored('new/1')).to.include({ id: first, title: 'Renamed', slug: 'renamed-1', managed_by: STACK });
    expect((await stored('new/plain')).id).to.equal(plain.id);
    expect((await stored('old/1')).id).to.equal(second);
    const again = await put([{ id: first, external_id: 'new/1' }]);
    expect(outcomes(again)).to.deep.equal(['unchanged']);
    expect(outcomes(await put([{ id: first, external_id: 'old/1' }]))).to.deep.equal(['conflict']);
  });

  it('fails rows alone, each with the reason of a single upsert', async () => {
    await mine.api('POST', '/links', { destination: DESTINATION, slug: 'upsert-taken' });
    const body = await put([
      { external_id: 'm/a', destination: DESTINATION, slug: 'upsert-taken' },
      { external_id: 'm/b' },
      { external_id: 'm/c', destination: 'nonsense', unheard_of: 1 },
      { destination: DESTINATION },
      { external_id: 'm/d', destination: DESTINATION },
      { external_id: 'm/d', destination: `${DESTINATION}second` },
      { external_id: 'm/e', destination: 'otherapp://x' },
      { external_id: '', destination: DESTINATION },
    ]);
    expect(outcomes(body)).to.deep.equal([
      'slug_taken',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'created',
      'conflict',
      'validation_failed',
      'validation_failed',
    ]);
    expect(body.counts).to.deep.equal({ created: 1, updated: 0, unchanged: 0, failed: 7 });
    const paths = body.results.map(({ error }) => error?.fields?.map(({ path }) => path));
    expect(paths[1]).to.deep.equal(['destination']);
    expect(paths[2]).to.have.members(['destination', 'unheard_of']);
    expect(paths[3]).to.deep.equal(['external_id']);
    expect((await stored('m/d')).destination).to.equal(DESTINATION);
  });

  it('archives and restores, also a new link', async () => {
    const made = await put([
      { external_id: 'm/a', destination: DESTINATION },
      { external_id: 'm/b', destination: DESTINATION, archived: true },
    ]);
    expect(made.results.map(({ link }) => link.status)).to.deep.equal(['active', 'archived']);
    expect((await stored('m/b')).archived_at).to.be.a('string');
    const swapped = await put([
      { external_id: 'm/a', archived: true },
      { external_id: 'm/b', archived: false },
    ]);
    expect(outcomes(swapped)).to.deep.equal(['updated', 'updated']);
    expect(swapped.results.map(({ link }) => link.status)).to.deep.equal(['archived', 'active']);
    expect((await eventsOf('link.archived')).map(({ data }) => data.link)).to.have.length(1);
    const single = await mine.api('PUT', '/links/external/m%2Fb', { archived: true });
    expect(single.body.status).to.equal('archived');
    const born = await mine.api('PUT', '/links/external/m%2Fc', { destination: DESTINATION, archived: true });
    expect([born.status, born.body.status]).to.deep.equal([201, 'archived']);
  });

  it('sends one links.imported for the batch, and link.updated for what changed notably', async () => {
    const first = await put(rows(3));
    const body = await put([
      { external_id: 'm/0', destination: `${DESTINATION}changed` },
      { external_id: 'm/1', title: 'Quiet', managed_by: STACK },
      { external_id: 'm/2', destination: `${DESTINATION}2` },
      { external_id: 'm/3', destination: DESTINATION },
      { external_id: 'm/4' },
    ]);
    expect(await eventsOf('link.created')).to.deep.equal([]);
    const updated = await eventsOf('link.updated');
    expect(updated.map(({ linkId }) => linkId)).to.deep.equal([body.results[0]?.link.id]);
    const [, event, ...others] = await eventsOf('links.imported');
    expect(others).to.deep.equal([]);
    expect(event?.data).to.deep.equal({
      batch_id: body.batch_id,
      source: 'bulk',
      action: 'upsert',
      counts: { created: 1, updated: 2, unchanged: 1, failed: 1 },
      link_ids: [0, 1, 3].map((at) => body.results[at]?.link.id),
      link_ids_truncated: false,
    });
    const entry = (await audited()).find(({ subjectId }) => subjectId === first.batch_id);
    expect(entry?.details).to.deep.equal({ batch_id: first.batch_id, counts: first.counts });
  });

  it('writes nothing when it is repeated', async () => {
    const links = rows(120, {
      tags: ['one', 'Two'],
      data: { a: 1 },
      expires_at: '2090-01-01T00:00:00Z',
      archived: false,
    });
    const first = await put(links);
    const [imported, noted] = [await eventsOf('links.imported'), await audited()];
    const again = await put(links);
    expect(again.counts).to.deep.equal({ created: 0, updated: 0, unchanged: 120, failed: 0 });
    expect(again.results.map(({ link }) => link)).to.deep.equal(first.results.map(({ link }) => link));
    expect(await eventsOf('links.imported')).to.have.length(imported.length);
    expect(await audited()).to.have.length(noted.length);
    expect(await eventsOf('link.updated')).to.deep.equal([]);
  });

  it('leaves nothing of a dry run, which tells what would happen', async () => {
    await put([{ external_id: 'm/0', destination: DESTINATION }]);
    const reply = await mine.api('PUT', '/links/bulk?dry_run=true', { links: rows(3) });
    expect(reply.headers.get('svc-dry-run')).to.equal('true');
    expect(reply.body.counts).to.deep.equal({ created: 2, updated: 1, unchanged: 0, failed: 0 });
    expect(await Link.count({ where: { projectId: mine.projectId } })).to.equal(1);
    expect((await stored('m/0')).destination).to.equal(DESTINATION);
    expect(await eventsOf('link.updated')).to.deep.equal([]);
  });

  it('lands each link once when callers send the same list at the same time', async () => {
    const callers = await Promise.all(
      [0, 1, 2, 3].map((caller) => {
        const links = rows(200, { title: `by ${caller}`, tags: [`t${caller}`, 'shared'] });
        return mine.api('PUT', '/links/bulk', { links: caller % 2 ? links.reverse() : links });
      }),
    );
    for (const { status, body } of callers) {
      expect(status, JSON.stringify(body).slice(0, 500)).to.equal(200);
      expect(body.counts.failed).to.equal(0);
    }
    const created = callers.map(({ body }: Reply) => body.counts.created).sort();
    expect(created).to.deep.equal([0, 0, 0, 200]);
    expect(await Link.count({ where: { projectId: mine.projectId } })).to.equal(200);
  });

  it('takes turns with single upserts, changes and deletions of the same links', async () => {
    await put(rows(40));
    const replies = await Promise.all([
      mine.api('PUT', '/links/bulk', { links: rows(60, { title: 'bulk' }) }),
      mine.api('PUT', '/links/bulk', { links: rows(60, { notes: 'bulk' }).reverse() }),
      ...[0, 20, 41, 50].map((n) =>
        mine.api('PUT', `/links/external/m%2F${n}`, { destination: DESTINATION, title: 'single' }),
      ),
      mine.api('PATCH', '/links/bulk', { ids: ['ext_m/5', 'ext_m/3', 'ext_m/1'], set: { tags: ['patched'] } }),
      mine.api('POST', '/links/bulk/delete', { ids: ['ext_m/7', 'ext_m/2'] }),
    ]);
    for (const { status, body } of replies) expect(status, JSON.stringify(body).slice(0, 300)).to.be.within(200, 201);
    for (const { body } of replies.slice(0, 2)) expect(body.counts.failed).to.equal(0);
  });

  it('takes 1 to 1,000 rows', async () => {
    expectInvalid(await mine.api('PUT', '/links/bulk', { links: [] }), 'links');
    expectInvalid(await mine.api('PUT', '/links/bulk', { links: rows(1001) }), 'links');
    expectInvalid(await mine.api('PUT', '/links/bulk', {}), 'links');
  });
});
