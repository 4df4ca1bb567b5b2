// stores: each
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { HealthEntry } from '../../../src/models/HealthEntry.ts';
import { invite, newEmail, newMember, type SignedIn, theOwner, tokenIn } from '../../support/people.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { linesOf, readZip } from '../../support/readZip.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { IPHONE, newAddress, sdkOf, visit } from '../../support/sdk.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { SDK_SETTINGS, useOwnWorld } from '../../support/world.ts';

const APP = { platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345', app_store_id: '123456789' };

describe('the archive of a team', () => {
  const world = useOwnWorld(SDK_SETTINGS);
  let owner: SignedIn & { teamId: string };
  let mine: Tenant;
  let other: Tenant;
  let receiver: Receiver;
  let bytes: Buffer;
  let files: Map<string, Buffer>;
  /** Everything that must stand nowhere in it. */
  const secrets: string[] = [];

  const inProject = (name: string) => files.get(`projects/${mine.projectId}/${name}`);

  async function download() {
    const response = await fetch(`${world.origin}/graphql/teams/${owner.teamId}/archive.zip`, {
      headers: { Cookie: owner.cookie },
    });
    expect(response.status).to.equal(200);
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  }

  /** What REST lists, page by page. */
  async function listed(list: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let cursor = ''; ; ) {
      const { status, body } = await mine.api('GET', `${list}?limit=100${cursor && `&cursor=${cursor}`}`);
      expect(status, list).to.equal(200);
      rows.push(...body.data);
      if (!body.next_cursor) return rows;
      cursor = encodeURIComponent(body.next_cursor);
    }
  }

  before(async () => {
    receiver = await startReceiver();
    owner = await theOwner(world);
    mine = await firstTenant(world);
    other = await makeTenant(world);
    await fill();
    await fillOthers();
    ({ bytes } = await download());
    files = await readZip(bytes);
  });
  after(() => receiver.close());

  /** Puts a row into every table that the archive shows, and all kinds of secrets beside them. */
  async function fill(): Promise<void> {
    const { api, projectId } = mine;
    await api('PATCH', `/projects/${projectId}`, { apps: [APP] });
    const hook = await api('POST', '/webhooks', { url: receiver.url, event_types: ['*'] });
    secrets.push(hook.body.secret);
    const team = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id secret } }`;
    const wide = await owner.ask(team, {
      input: { teamId: owner.teamId, url: receiver.url, eventTypes: ['LINK_DELETED'] },
    });
    const again = wide.errors
      ? await owner.ask(team, { input: { teamId: owner.teamId, url: receiver.url, eventTypes: ['link.deleted'] } })
      : wide;
    expect(again.errors, JSON.stringify(again.errors)).to.equal(undefined);
    secrets.push(again.data.createWebhook.secret);
    await api('POST', '/domains', { hostname: 'links.archived.example' });
    await api('POST', '/tags', { name: 'Spring' });
    const key = await api('POST', '/keys', { name: 'Another' });
    secrets.push(key.body.key, world.secretKey, owner.cookie.split('=')[1] as string);
    const link = await api('POST', '/links', {
      destination: 'https://www.example.com/a?b=1',
      slug: 'archived-link',
      tags: ['Spring'],
      title: 'ありがとう "quoted"\n',
      utm: { source: 'mail' },
    });
    await api('POST', '/links', { destination: 'https://www.example.com/', password: 'the password of a link' });
    secrets.push('the password of a link', world.password);
    await api('POST', '/imports', undefined, {
      raw: 'destination,title\nhttps://example.com/,x\nnot a url,y\n',
      headers: { 'Content-Type': 'text/csv' },
    });
    const invitation = await invite(owner, { teamId: owner.teamId, email: newEmail() });
    secrets.push(tokenIn(invitation.data.createInvitation.url));
    await newMember(world, owner, owner.teamId, 'viewer');
    const from = newAddress();
    await visit(world, link.body, { from });
    await rawRequest(world.origin, '/no-such-link', { headers: { ...IPHONE.headers, 'X-Forwarded-For': from } });
    secrets.push(from);
    const app = await sdkOf(mine);
    const installId = randomUUID();
    await until(async () => (await query('SELECT id FROM clicks')).length > 0, 'the click');
    await app.open({ install_id: installId }, { from });
    await app.event({ install_id: installId, value: 12.5, currency: 'EUR', properties: { size: 'L' } }, { from });
    await inTransaction(async (transaction) => {
      const alert = { teamId: owner.teamId, kind: 'traffic_anomaly', severity: 'info', title: 'An alert', details: {} };
      const one = { ...alert, message: 'A message.', incident: newId('alt') };
      await Alert.create({ id: newId('alt'), projectId, ...one }, { transaction });
      await Alert.create({ id: newId('alt'), projectId: null, ...one, incident: 'team' }, { transaction });
      const entry = { projectId, name: 'webhooks', status: 'pass', message: 'Fine.', since: new Date() };
      await HealthEntry.create({ id: newId('hlt'), ...entry }, { transaction });
    });
    for (const table of ['orphans', 'opens', 'app_events', 'attempts', 'deliveries']) {
      await until(async () => (await query(`SELECT 1 AS one FROM ${table}`)).length > 0, table);
    }
    await until(async () => (await query("SELECT id FROM imports WHERE status = 'finished'")).length > 0, 'the import');
    for (const table of ['clicks', 'opens', 'app_events']) {
      const waiting = `SELECT id FROM ${table} WHERE uncollected`;
      await until(async () => (await query(waiting)).length === 0, `the events of ${table}`);
    }
    // Until nothing moves any more, so that lists can be compared with the archive.
    const open =
      "SELECT id FROM deliveries WHERE status = 'pending' UNION ALL SELECT id FROM events WHERE fanned_out_at IS NULL";
    await until(async () => (await query(open)).length === 0, 'the deliveries');
  }

  /** What another team has, none of which may be seen. */
  async function fillOthers(): Promise<void> {
    secrets.push(other.projectId, other.teamId);
    const { body } = await other.api('POST', '/links', {
      destination: 'https://others.example.com/',
      slug: 'of-others',
    });
    secrets.push(body.id, 'of-others');
  }

  it('is a ZIP with a name, which a second program reads', async () => {
    const { response } = await download();
    expect(response.headers.get('content-type')).to.equal('application/zip');
    expect(response.headers.get('content-disposition')).to.match(
      /^attachment; filename="[\w-]+-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const folder = await mkdtemp(path.join(tmpdir(), 'archive-'));
    try {
      const file = path.join(folder, 'archive.zip');
      await writeFile(file, bytes);
      const reader = readerHere();
      if (reader) execFileSync(reader[0], [...reader.slice(1), file], { stdio: 'pipe' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has what REST lists, as REST shows it', async () => {
    for (const list of ['links', 'tags', 'domains', 'webhooks', 'keys', 'imports', 'events', 'installs']) {
      const shown = await listed(`/${list}`);
      expect(shown, list).not.to.be.empty;
      expect(linesOf(inProject(`${list}.ndjson`)), list).to.deep.equal(shown);
    }
    expect(JSON.parse(String(inProject('project.json')))).to.deep.equal(
      (await mine.api('GET', `/projects/${mine.projectId}`)).body,
    );
    expect(JSON.parse(String(files.get('team.json')))).to.deep.equal((await mine.api('GET', '/team')).body);
    const [webhook] = linesOf(inProject('webhooks.ndjson'));
    const deliveries = await listed(`/webhooks/${webhook.id}/deliveries`);
    const archived = linesOf(inProject('deliveries.ndjson')).filter(({ webhook_id }) => webhook_id === webhook.id);
    expect(deliveries).not.to.be.empty;
    expect(archived).to.deep.equal(deliveries);
    expect(archived[0].attempts).not.to.be.empty;
  });

  it('has the people, the invitations, the alerts and who changed what', async () => {
    const { teamId } = owner;
    const shown = `query ($teamId: ID!) {
      members(teamId: $teamId) { data { user_id: userId email role second_factor: secondFactor may_return_until: mayReturnUntil created_at: createdAt } }
      invitations(teamId: $teamId) { data { id team_id: teamId email role invited_by: invitedBy inviter_email: inviterEmail expires_at: expiresAt created_at: createdAt } }
      alerts(teamId: $teamId) { data { id } } }`;
    const { data } = await owner.ask(shown, { teamId });
    expect(linesOf(files.get('members.ndjson'))).to.deep.equal(data.members.data);
    expect(linesOf(files.get('invitations.ndjson')))
      .to.deep.equal(data.invitations.data)
      .and.to.have.length(1);
    expect(linesOf(files.get('alerts.ndjson')).map(({ id }) => ({ id }))).to.deep.equal(data.alerts.data);
    const [last] = linesOf(files.get('audit.ndjson'));
    expect(last).to.deep.include({ action: 'team.exported', project_id: null, subject_id: teamId });
    expect(last.actor).to.deep.equal({ kind: 'user', id: owner.userId, name: owner.email });
    expect(linesOf(files.get('webhooks.ndjson')).map(({ project_id }) => project_id)).to.deep.equal([null]);
  });

  it('has clicks, orphans, openings and app events in the spelling of the wire', () => {
    const [link] = linesOf(inProject('links.ndjson')).filter(({ slug }) => slug === 'archived-link');
    const [click] = linesOf(inProject('clicks.ndjson'));
    expect(click).to.include({ link_id: link.id, slug: 'archived-link', traffic_class: 'human', platform: 'ios' });
    expect(click.tag_ids).to.deep.equal([linesOf(inProject('tags.ndjson'))[0].id]);
    expect(click.utm).to.include({ source: 'mail' });
    expect(click.visitor).to.have.length(6);
    expect(click.occurred_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(linesOf(inProject('orphans.ndjson'))[0]).to.include({ slug: 'no-such-link', count: 1 });
    const [install] = linesOf(inProject('installs.ndjson'));
    expect(linesOf(inProject('opens.ndjson'))[0]).to.include({
      install_id: install.install_id,
      kind: 'install',
      direct: false,
    });
    const [event] = linesOf(inProject('app_events.ndjson'));
    expect(event).to.deep.include({
      name: 'purchase',
      value: 12.5,
      currency: 'EUR',
      properties: { size: 'L' },
      outlier: false,
    });
    expect(linesOf(inProject('health.ndjson')).map(({ name }) => name)).to.include('webhooks');
  });

  it('ends with a manifest of all files', () => {
    const names = [...files.keys()];
    expect([names[0], names.at(-1)]).to.deep.equal(['README.txt', 'manifest.json']);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest).to.deep.include({ format_version: 1, team: { id: owner.teamId, name: 'My team' } });
    expect(Date.parse(manifest.finished_at)).to.be.at.least(Date.parse(manifest.began_at));
    const facts = names.slice(0, -1).map((name) => {
      const content = files.get(name) as Buffer;
      const rows = name.endsWith('.ndjson') ? linesOf(content).length : Number(name.endsWith('.json'));
      return { path: name, rows, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
    });
    expect(manifest.files).to.deep.equal(facts);
  });

  it('has no secret, no hash and nothing of others', async () => {
    const columns = [
      ...['users.password_hash', 'sessions.token_hash', 'api_keys.hash', 'links.password_hash', 'webhooks.secrets'],
      ...['clicks.address_hash', 'clicks.visitor', 'orphans.visitor', 'invitations.token_hash', 'users.totp_secret'],
    ];
    for (const column of columns) {
      const [table, name] = column.split('.');
      const rows = await query<{ value: string | null }>(`SELECT ${name} AS value FROM ${table}`);
      secrets.push(...rows.flatMap(({ value }) => value || []));
    }
    const text = [...files.values()].map(String).join('\n');
    const found = secrets.filter((secret) => text.includes(secret));
    expect(secrets.length).to.be.greaterThan(20);
    expect(found).to.deep.equal([]);
  });
});

/** A program on this machine that tests a ZIP. */
function readerHere(): [string, ...string[]] | null {
  for (const reader of [
    ['python3', '-m', 'zipfile', '-t'],
    ['unzip', '-tq'],
  ] as [string, ...string[]][]) {
    try {
      execFileSync(reader[0], [reader[0] === 'unzip' ? '-v' : '--version'], { stdio: 'pipe' });
      return reader;
    } catch {}
  }
  return null;
}
