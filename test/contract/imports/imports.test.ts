// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { setTeamReadOnly } from '../../../src/accounts/teamService.ts';
import type { Api } from '../../support/api.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { ended, importCsv, postCsv } from '../../support/imports.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

const URL = 'https://www.example.com';

describe('imports', () => {
  const world = useOwnWorld({
    IMPORT_POLL_MILLISECONDS: '20',
    IMPORT_BATCH_ROWS: '3',
    IMPORT_MAX_ROWS: '500',
    IMPORT_RETRY_SECONDS: '1',
  });
  let teamId: string;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });

  const tenant = (): Promise<Tenant> => makeTenant(world, teamId);

  const links = async (api: Api) => (await api('GET', '/links?order=asc&limit=100')).body.data;

  const imported = async ({ api }: Tenant, batchId: string) => {
    const page = (await api('GET', '/events?type=links.imported')).body.data;
    return page.filter(({ data }: { data: { batch_id: string } }) => data.batch_id === batchId);
  };

  it('makes links of a file, with everything in it, and tells of the batch once', async () => {
    const mine = await tenant();
    const csv =
      'Title,DESTINATION,utm source,tags,routing,data,preview,archived,Click Limit,starts_at,slug,external_id,Colour\r\n' +
      `"a ""b""\r\nc",${URL}/1,news,red|Blue,"{""forward_path"":true}","{""n"":1}","{""title"":""T""}",true,5,2030-01-01T00:00:00Z,imp/one,e1,x\r\n` +
      `,${URL}/2,,,,,,,,,,,\r\n`;
    const reply = await postCsv(mine.api, csv);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(202);
    expect(reply.body).to.deep.include({
      project_id: mine.projectId,
      source_format: 'svc',
      dry_run: false,
      on_conflict: 'skip',
      unknown_columns: ['Colour'],
      message: null,
    });
    expect(reply.body.counts.rows).to.equal(2);
    const done = await ended(mine.api, reply.body.id);
    expect(done).to.deep.include({
      status: 'finished',
      progress: 1,
      counts: { rows: 2, created: 2, updated: 0, skipped: 0, failed: 0 },
    });
    expect(done.finished_at).to.be.a('string');
    const [one, two] = await links(mine.api);
    expect(one).to.deep.include({
      title: 'a "b"\r\nc',
      destination: `${URL}/1`,
      slug: 'imp/one',
      external_id: 'e1',
      tags: ['Blue', 'red'],
      status: 'archived',
      click_limit: 5,
      starts_at: '2030-01-01T00:00:00.000Z',
      data: { n: 1 },
    });
    expect(one.utm).to.deep.equal({ source: 'news', medium: null, campaign: null, term: null, content: null });
    expect(one.preview.title).to.equal('T');
    expect(two).to.deep.include({ destination: `${URL}/2`, title: null, utm: null, status: 'active', data: {} });
    expect((await mine.api('GET', `/links?batch_id=${done.batch_id}`)).body.data).to.have.length(2);
    const events = await imported(mine, done.batch_id);
    expect(events.map(({ data }: { data: object }) => data)).to.deep.equal([
      {
        batch_id: done.batch_id,
        source: 'csv',
        action: 'create',
        counts: { created: 2, updated: 0, skipped: 0, failed: 0 },
        link_ids: [one.id, two.id],
        link_ids_truncated: false,
      },
    ]);
    expect((await mine.api('GET', '/events?type=link.created')).body.data).to.deep.equal([]);
    expect((await mine.api('GET', '/events?type=link.archived')).body.data).to.deep.equal([]);
  });

  it('lets a bad row fail alone, with its line and columns', async () => {
    const { api } = await tenant();
    const csv =
      'Destination;Title;slug;click limit;routing;domain;archived\n' +
      `${URL};"two\nlines";;;;;\n` +
      '\n' +
      'ftp://x;;bad slug;0;;;perhaps\n' +
      `${URL};one cell too many;;;;;;\n` +
      `${URL};;;;{;elsewhere.example.com;\n` +
      `;;;;"{""rules"":1}";;\n` +
      `${URL};;ok-1;;"{""rules"":[{""when"":{},""destination"":1}]}";;\n` +
      `${URL};;ok-2;;;elsewhere.example.com;\n`;
    const done = await importCsv(api, csv);
    expect(done.counts).to.deep.equal({ rows: 7, created: 1, updated: 0, skipped: 0, failed: 6 });
    const { body, headers } = await api('GET', `/imports/${done.id}/errors`);
    expect(headers.get('content-type')).to.match(/^text\/csv\b/);
    const lines = body.trim().split('\n');
    expect(lines[0]).to.equal('row,column,message');
    const places = lines.slice(1).map((line: string) => line.split(',').slice(0, 2).join(','));
    expect(places).to.include.members(['5,archived', '6,', '7,routing', '8,Destination', '9,routing', '10,domain']);
  });

  it('names the cells that break the rules of links as the file does', async () => {
    const { api } = await tenant();
    const done = await importCsv(api, `Destination,Click Limit,UTM Source\nnothing,0,${'x'.repeat(501)}\n`);
    const { body } = await api('GET', `/imports/${done.id}/errors`);
    const columns = body
      .trim()
      .split('\n')
      .map((line: string) => line.split(',')[1]);
    expect(columns).to.have.members(['column', 'Destination', 'Click Limit', 'UTM Source']);
  });

  it('says in a dry run what would become of each row, and writes nothing', async () => {
    const mine = await tenant();
    await mine.api('POST', '/links', { destination: URL, external_id: 'old', title: 'a' });
    const csv = `external_id,destination,title\nold,${URL},b\nnew,${URL},\nnew,${URL},again\nx,nothing,\nold,${URL},c\n`;
    const done = await importCsv(mine.api, csv, { dry_run: 'true', on_conflict: 'update' });
    expect(done.counts).to.deep.equal({ rows: 5, created: 1, updated: 3, skipped: 0, failed: 1 });
    const report = (await mine.api('GET', `/imports/${done.id}/rows`)).body.trim().split('\n');
    expect(report[0]).to.equal('row,outcome,column,message');
    expect(report.slice(1, 4)).to.deep.equal(['2,updated,,', '3,created,,', '4,updated,,']);
    expect(report[4]).to.match(/^5,failed,destination,/);
    expect((await links(mine.api)).map(({ title }: { title: string }) => title)).to.deep.equal(['a']);
    expect(await imported(mine, done.batch_id)).to.deep.equal([]);
  });

  it('makes all links of a row of Bitly, and says the same in a dry run', async () => {
    const { api } = await tenant();
    const slug = randomUUID();
    const csv =
      'id,custom_bitlinks,long_url,title,Clicks\n' +
      `bit.ly/${slug},"[""bit.ly/${slug}-a"", ""https://nobodys.example.com/${slug}""]",${URL},Sale,12\n` +
      `bit.ly/${slug}-b,,${URL},,\n`;
    const report = async (query: Record<string, string>) => {
      const done = await importCsv(api, csv, { format: 'bitly', ...query });
      expect(done.counts).to.deep.equal({ rows: 4, created: 3, updated: 0, skipped: 0, failed: 1 });
      expect(done.unknown_columns).to.deep.equal(['Clicks']);
      return (await api('GET', `/imports/${done.id}/rows`)).body;
    };
    const foretold = await report({ dry_run: 'true' });
    expect(await links(api)).to.deep.equal([]);
    expect(await report({})).to.equal(foretold);
    const made = await links(api);
    expect(made.map((link: { slug: string; title: string }) => `${link.slug} ${link.title}`)).to.have.members([
      `${slug} Sale`,
      `${slug}-a Sale`,
      `${slug}-b null`,
    ]);
    const lines = foretold.trim().split('\n');
    expect(lines[1]).to.equal('2,created,,"Not taken over: {""Clicks"":""12""}."');
    expect(lines[2]).to.equal(`2,created,custom_bitlinks,One of several links of this row: bit.ly/${slug}-a.`);
    expect(lines.filter((line: string) => line.startsWith('2,failed,')))
      .to.have.length(1)
      .and.satisfy(([line]: string[]) => line?.includes(`https://nobodys.example.com/${slug}: `));
    expect(lines.at(-1)).to.equal('3,created,,');
    const again = await importCsv(api, csv, { format: 'bitly' });
    expect((await api('GET', `/imports/${again.id}/rows`)).body).to.include(
      `bit.ly/${slug}-a: The link exists already.`,
    );
  });

  it('keeps protected links protected, or refuses them', async () => {
    const { api } = await tenant();
    const slug = randomUUID();
    const csv =
      'Short link,Destination URL,Password\n' +
      `dub.sh/${slug}-a,${URL},open sesame\ndub.sh/${slug}-b,${URL},true\ndub.sh/${slug}-c,${URL},\n`;
    const done = await importCsv(api, csv, { format: 'dub' });
    expect(done.counts).to.deep.equal({ rows: 3, created: 2, updated: 0, skipped: 0, failed: 1 });
    const isProtected = Object.fromEntries(
      (await links(api)).map((link: Record<string, unknown>) => [link.slug, link.password_protected]),
    );
    expect(isProtected).to.deep.equal({ [`${slug}-a`]: true, [`${slug}-c`]: false });
    const right = {
      method: 'POST',
      body: new URLSearchParams({ password: 'open sesame' }),
      redirect: 'manual' as const,
    };
    expect((await fetch(`${world.origin}/${slug}-a`, right)).status).to.equal(303);
    const { body } = await api('GET', `/imports/${done.id}/errors`);
    expect(body).to.match(/\n3,Password,"?The link asks for a password/);
    // Whether it is the same cannot be known, so a second import leaves it.
    const again = await importCsv(api, csv, { format: 'dub', on_conflict: 'update' });
    expect(again.counts).to.deep.include({ updated: 0, skipped: 2 });
  });

  it('refuses at once what cannot be imported at all', async () => {
    const { api } = await tenant();
    for (const [file, words] of [
      ['', /empty/],
      ['url,title\nx,y\n', /"destination"/],
      [Buffer.from([0xff, 0xfe, 0x64, 0x00]), /UTF-8/],
      [`destination\n"${URL}\n`, /never ends/],
      [`destination\n${`${URL}\n`.repeat(501)}`, /501 rows/],
    ] as const) {
      const reply = await postCsv(api, file === '' ? '\n' : file);
      expectError(reply, 422, 'validation_failed');
      expect(reply.body.error.message).to.match(words);
    }
    expectError(await postCsv(api, `destination\n${URL}`, { format: 'other' }), 422, 'validation_failed');
    expectError(await postCsv(api, `destination\n${URL}`, { on_conflict: 'x' }), 422, 'validation_failed');
    expectError(await api('POST', '/imports', {}), 415, 'unsupported_media_type');
    expect((await api('GET', '/imports')).body).to.deep.equal({ data: [], next_cursor: null });
  });

  it('is listed newest first, and answers a repeat with its first answer', async () => {
    const { api } = await tenant();
    const send = () =>
      api('POST', '/imports', undefined, {
        raw: `destination\n${URL}\n`,
        headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': 'one' },
      });
    const first = await send();
    const again = await send();
    expect(again.body).to.deep.equal(first.body);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    await ended(api, first.body.id);
    const second = await importCsv(api, `destination\n${URL}\n`);
    const page = (await api('GET', '/imports')).body;
    expect(page.data.map(({ id }: { id: string }) => id)).to.deep.equal([second.id, first.body.id]);
    expect(await links(api)).to.have.length(2);
  });

  it('can be cancelled, and what has landed stays', async () => {
    const mine = await tenant();
    const csv = `destination\n${`${URL}\n`.repeat(500)}`;
    const { body } = await postCsv(mine.api, csv);
    await until(async () => (await mine.api('GET', `/imports/${body.id}`)).body.counts.created > 0, 'the first rows');
    const reply = await mine.api('POST', `/imports/${body.id}/cancel`);
    expect([reply.status, reply.body.status]).to.deep.equal([200, 'cancelled']);
    const again = await mine.api('POST', `/imports/${body.id}/cancel`);
    expect(again.body).to.deep.equal(reply.body);
    const { created } = reply.body.counts;
    expect(created).to.be.within(3, 497);
    expect((await mine.api('GET', `/links?limit=100&batch_id=${body.batch_id}`)).body.data).to.have.length(
      Math.min(created, 100),
    );
    const [event, ...others] = await imported(mine, body.batch_id);
    expect(event.data.counts.created).to.equal(created);
    expect(others).to.deep.equal([]);
    const done = await importCsv(mine.api, `destination\n${URL}\n`);
    expectError(await mine.api('POST', `/imports/${done.id}/cancel`), 409, 'conflict');
  });

  it('waits while the team is in survival mode', async () => {
    const mine = await makeTenant(world);
    const { body } = await postCsv(mine.api, `destination\n${`${URL}\n`.repeat(60)}`);
    await setTeamReadOnly('operator', mine.teamId, 'a test');
    const waiting = await until(async () => {
      const { body: now } = await mine.api('GET', `/imports/${body.id}`);
      return now.message ? now : null;
    }, 'the message');
    expect(waiting.message).to.match(/survival mode/);
    expect(waiting.counts.created).to.be.lessThan(60);
    await setTeamReadOnly('operator', mine.teamId, null);
    expect((await ended(mine.api, body.id)).counts.created).to.equal(60);
  });

  it('is started from the dashboard with the file as text', async () => {
    const mine = await firstTenant(world);
    const session = await ownerSession(world);
    const start = `mutation ($projectId: ID!, $csv: String) {
      startImport(projectId: $projectId, csv: $csv) { id status counts { rows } } }`;
    const variables = { projectId: mine.projectId, csv: `destination\n${URL}\n` };
    const { data, errors } = await graphql(world.origin, start, variables, session);
    expect(errors).to.equal(undefined);
    expect((await ended(mine.api, data.startImport.id)).counts.created).to.equal(1);
    const without = await graphql(world.origin, start, { projectId: mine.projectId }, session);
    expect(without.errors?.[0]?.extensions.code).to.equal('validation_failed');
  });
});
