// stores: each
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import type { Api } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectError.ts';
import { importCsv } from '../../support/imports.ts';
import { firstTenant, makeTenant } from '../../support/tenants.ts';
import { useOwnWorld } from '../../support/world.ts';

const COLUMNS =
  'id domain slug destination title notes tags external_id managed_by utm_source utm_medium utm_campaign utm_term utm_content ' +
  'starts_at expires_at expired_destination click_limit archived routing data preview';

const linesOf = (body: string): Record<string, unknown>[] =>
  body
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('the export of links', () => {
  const world = useOwnWorld({ IMPORT_POLL_MILLISECONDS: '3600000' });
  let teamId: string;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });

  const SIGNS = [
    '=1+1',
    '+',
    '-x',
    '@',
    ' spaces ',
    '"',
    'a,b',
    'a;b\tc',
    'line\nbreak',
    'line\r\nbreak',
    'cr\rhere',
    'Ä€😀',
    '\\',
    "'",
  ];

  let runs = 0;
  const make = async (api: Api, count: number) => {
    runs += 1;
    const bodies = Array.from({ length: count }, (_, at) => ({
      destination: `https://www.example.com/${at}?a=b&c="d"`,
      slug: `round/${runs}-${at}`,
      title: SIGNS[at % SIGNS.length],
      notes: at % 2 ? null : SIGNS[(at + 3) % SIGNS.length],
      tags: ['red', 'Blue', 'green fields'].slice(0, at % 4),
      external_id: at % 3 ? `e-${at}` : null,
      managed_by: at % 2 ? 'code:marketing' : null,
      utm: at % 5 ? { source: 'news', content: SIGNS[at % SIGNS.length] } : null,
      starts_at: at % 4 ? null : '2026-01-01T00:00:00.123Z',
      expires_at: at % 4 ? '2090-06-30T12:00:00.000Z' : null,
      expired_destination: at % 6 ? null : 'https://www.example.com/late',
      click_limit: at % 7 ? null : at + 1,
      routing:
        at % 5
          ? null
          : { forward_path: true, rules: [{ when: { country: ['DE'] }, destination: 'https://de.example.com' }] },
      data: at % 2 ? { text: SIGNS[at % SIGNS.length], list: [1, null, { deep: true }] } : {},
      preview: at % 8 ? null : { title: 'T', image_url: 'https://www.example.com/i.png' },
    }));
    const { body } = await api('POST', '/links/bulk', { links: bodies });
    expect(body.counts, JSON.stringify(body.results.find(({ error }: { error: object }) => error))).to.deep.equal({
      created: count,
      failed: 0,
    });
    await api('POST', `/links/${body.results[1].link.id}/archive`);
    return body.results.map(({ link }: { link: { id: string } }) => link.id) as string[];
  };

  const all = async (api: Api) => (await api('GET', '/links?order=asc&limit=100')).body.data;

  it('gives whole links as REST shows them, one on each line, with the filters of the list', async () => {
    const { api } = await makeTenant(world, teamId);
    const empty = await api('GET', '/links/export?format=ndjson');
    expect([empty.status, empty.body]).to.deep.equal([200, undefined]);
    await make(api, 130);
    const { status, body, headers } = await api('GET', '/links/export?format=ndjson');
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/x-ndjson']);
    expect(headers.get('content-disposition')).to.contain('.ndjson');
    const links = linesOf(body);
    const first = await api('GET', '/links?order=asc&limit=100');
    const rest = await api('GET', `/links?order=asc&limit=100&cursor=${first.body.next_cursor}`);
    const listed = [...first.body.data, ...rest.body.data];
    expect(links).to.deep.equal(listed);
    // Fields in the same order too: files are compared as texts.
    expect(Object.keys(links[0] ?? {})).to.deep.equal(Object.keys(listed[0]));
    const owned = linesOf((await api('GET', '/links/export?format=ndjson&managed_by=code:marketing')).body);
    expect(owned).to.deep.equal(listed.filter(({ managed_by }) => managed_by === 'code:marketing'));
    const archived = linesOf((await api('GET', '/links/export?format=ndjson&status=archived')).body);
    expect(archived.map(({ id }) => id)).to.deep.equal([listed[1].id]);
    expectInvalid(await api('GET', '/links/export?format=xml'), 'format');
  });

  it('has the columns of the contract, and a row for each link', async () => {
    const { api } = await makeTenant(world, teamId);
    const empty = await api('GET', '/links/export');
    expect(empty.status).to.equal(200);
    expect(empty.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(empty.body.trim()).to.equal(COLUMNS.replaceAll(' ', ','));
    const { body } = await api('POST', '/links', {
      destination: 'https://www.example.com/',
      tags: ['b', 'a'],
      title: '=1',
    });
    const rows = parse((await api('GET', '/links/export')).body, { columns: true }) as Record<string, string>[];
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      id: body.id,
      slug: body.slug,
      tags: 'a|b',
      title: '=1',
      archived: 'false',
      data: '{}',
      notes: '',
    });
    expect((await api('GET', '/links/export?tag=c')).body.trim().split('\n')).to.have.length(1);
  });

  it('defuses formulas for a spreadsheet, when asked to', async () => {
    const { api } = await makeTenant(world, teamId);
    const titles = ["=cmd|' /C calc'!A0", '+1', '-1', '@SUM(A1)', 'harmless', 'a=b'];
    for (const title of titles) await api('POST', '/links', { destination: 'https://www.example.com/', title });
    const exported = async (query: string) =>
      (parse((await api('GET', `/links/export${query}`)).body, { columns: true }) as { title: string }[]).map(
        ({ title }) => title,
      );
    expect(await exported('')).to.deep.equal(titles);
    expect(await exported('?spreadsheet=false')).to.deep.equal(titles);
    expect(await exported('?spreadsheet=true')).to.deep.equal([
      "'=cmd|' /C calc'!A0",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      'harmless',
      'a=b',
    ]);
    expect((await api('GET', '/links/export?spreadsheet=maybe')).status).to.equal(422);
  });

  it('changes nothing when it is imported again, and makes the same links where they are gone', async () => {
    const { api } = await makeTenant(world, teamId);
    const ids = await make(api, 100);
    const before = await all(api);
    const csv = (await api('GET', '/links/export')).body;
    const same = await importCsv(api, csv, { on_conflict: 'update' });
    expect(same.counts).to.deep.equal({ rows: 100, created: 0, updated: 0, skipped: 100, failed: 0 });
    expect(await all(api)).to.deep.equal(before);

    const { body } = await api('POST', '/links/bulk/delete', { ids });
    expect(body.counts).to.deep.equal({ deleted: 100, failed: 0 });
    const anew = await importCsv(api, csv);
    expect(anew.counts).to.deep.equal({ rows: 100, created: 100, updated: 0, skipped: 0, failed: 0 });
    const made = await all(api);
    const bare = ({ id, created_at, updated_at, archived_at, ...link }: Record<string, unknown>) => ({
      ...link,
      archived: archived_at !== null,
    });
    expect(made.map(bare)).to.deep.equal(before.map(bare));
  });

  it('streams more than one page', async () => {
    const { api, projectId } = await makeTenant(world, teamId);
    const rows = Array.from({ length: 1200 }, (_, at) => ({
      id: `lnk_${String(at).padStart(26, '0')}`,
      projectId,
      domain: 'go.example.com',
      slug: `page-${at}`,
      destination: 'https://www.example.com/',
      data: {},
    }));
    await inTransaction((transaction) => Link.bulkCreate(rows, { transaction }));
    const slugs = (parse((await api('GET', '/links/export')).body, { columns: true }) as { slug: string }[]).map(
      ({ slug }) => slug,
    );
    expect(slugs).to.have.length(1200);
    expect(new Set(slugs).size).to.equal(1200);
  });
});
