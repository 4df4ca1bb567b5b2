// stores: any
import { expect } from 'chai';
import { newMember, newPerson, projectOf, type SignedIn, theOwner } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const CSV = 'destination,slug,title\nhttps://example.com/a,files-a,=1+1\nnot a url,files-b,\n';
const IMPORT = 'query ($id: ID!) { import(id: $id) { status dryRun counts { rows created failed } } }';
const ROWS = `query ($id: ID!, $outcome: ImportOutcome) {
  importRows(id: $id, outcome: $outcome, limit: 1) { data { row outcome column message linkId } nextCursor } }`;

describe('files of people at the dashboard', () => {
  const world = useWorld();
  let owner: SignedIn & { teamId: string };
  let projectId: string;

  before(async () => {
    owner = await theOwner(world);
    projectId = await projectOf(owner);
  });

  function upload(csv: string, query: string, person: Pick<SignedIn, 'cookie'> = owner, headers = {}) {
    return fetch(`${world.origin}/graphql/imports?project_id=${projectId}&${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', Cookie: person.cookie, ...headers },
      body: csv,
    });
  }

  function download(path: string, cookie = owner.cookie) {
    return fetch(`${world.origin}/graphql/${path}`, { headers: { Cookie: cookie } });
  }

  async function finished(id: string) {
    return until(async () => {
      const { data } = await owner.ask(IMPORT, { id });
      return data.import.status === 'finished' && data.import;
    }, 'the import');
  }

  it('takes an upload, answers in the form of GraphQL, and gives the report by outcome', async () => {
    const response = await upload(CSV, 'dry_run=true&on_conflict=skip');
    expect(response.status).to.equal(202);
    const { data: answer } = (await response.json()) as { data: { startImport: { id: string; dryRun: boolean } } };
    const { id, dryRun } = answer.startImport;
    expect(dryRun).to.equal(true);
    expect((await finished(id)).counts).to.deep.equal({ rows: 2, created: 1, failed: 1 });
    const { data } = await owner.ask(ROWS, { id, outcome: 'failed' });
    expect(data.importRows).to.deep.include({ nextCursor: null });
    expect(data.importRows.data[0]).to.include({ row: 3, outcome: 'failed', column: 'destination', linkId: null });
    const all = (await owner.ask(ROWS, { id })).data.importRows;
    expect(all.data).to.have.length(1);
    expect(all.nextCursor).to.be.a('string');
    const failures = await download(`imports/${id}/rows.csv?outcome=failed`);
    expect(failures.headers.get('content-disposition')).to.contain('rows.csv');
    expect((await failures.text()).trim().split('\n')).to.have.length(2);
  });

  it('gives the links that the filters of the list find', async () => {
    await world.api('POST', '/links', {
      destination: 'https://example.com/',
      slug: 'tagged-file',
      tags: ['files one', 'x'],
    });
    await world.api('POST', '/links', { destination: 'https://example.com/', slug: 'other-file', tags: ['x'] });
    const response = await download(
      `links.csv?project_id=${projectId}&spreadsheet=true&tags=files%20one&tags=x&tag_mode=all`,
    );
    expect(response.status).to.equal(200);
    const text = await response.text();
    expect(text).to.contain('tagged-file').and.not.to.contain('other-file');
  });

  it('refuses with codes: nobody, viewers, other teams, other sites, bad parameters, other methods', async () => {
    const nobody = await upload(CSV, '', { cookie: '' });
    expect(nobody.status).to.equal(401);
    expect(await nobody.json()).to.have.nested.property('errors[0].extensions.code', 'not_signed_in');
    const viewer = await newMember(world, owner, owner.teamId, 'viewer');
    expect((await upload(CSV, '', viewer)).status).to.equal(403);
    expect((await download(`links.csv?project_id=${projectId}`, viewer.cookie)).status).to.equal(200);
    const stranger = await newPerson(world);
    expect((await upload(CSV, '', stranger)).status).to.equal(404);
    expect((await download(`links.csv?project_id=${projectId}`, stranger.cookie)).status).to.equal(404);
    const elsewhere = await upload(CSV, '', owner, { 'Sec-Fetch-Site': 'cross-site' });
    expect(elsewhere.status).to.equal(400);
    expect((await upload(CSV, 'format=excel')).status).to.equal(422);
    expect((await download('links.csv')).status).to.equal(422);
    const { status, headers } = await download('imports');
    expect([status, headers.get('allow')]).to.deep.equal([405, 'POST']);
    expect((await upload('a;b', '', owner, { 'Content-Type': 'application/json' })).status).to.equal(415);
  });
});
