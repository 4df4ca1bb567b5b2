// stores: any
import { expect } from 'chai';
import { raiseAlert, resolveAlert } from '../../../src/alerts/raiseAlert.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { ALERT_KINDS } from '../../../src/models/alertKinds.ts';
import { Event } from '../../../src/models/Event.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { makeAlert } from '../../support/operations.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';
import { useWorld } from '../../support/world.ts';

describe('alerts', () => {
  const world = useWorld();
  let teamId: string;
  let mine: Tenant;
  let api: Api;

  before(async () => {
    teamId = (await firstTenant(world)).teamId;
  });
  beforeEach(async () => {
    mine = await makeTenant(world, teamId);
    api = mine.api;
  });

  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
  const acknowledge = (id: string, caller = api) => caller('POST', `/alerts/${id}/acknowledge`);

  it('show every field', async () => {
    const [link, webhook] = [newId('lnk'), newId('whk')];
    const more = { kind: 'link_flagged', severity: 'critical', title: 'T', message: 'M', details: { hits: 3 } };
    const id = await makeAlert(mine, { ...more, linkId: link, webhookId: webhook });
    const [{ created_at, updated_at, ...others }] = await walk(api, '/alerts');
    expect([created_at, updated_at]).to.satisfy((times: string[]) => times.every((time) => time.endsWith('Z')));
    expect(others).to.deep.equal({
      id,
      project_id: mine.projectId,
      ...more,
      link_id: link,
      webhook_id: webhook,
      acknowledged_at: null,
      resolved_at: null,
    });
  });

  it('are listed newest first; none of others, of the neighbours or of the whole team', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift(await makeAlert(mine));
    await makeAlert(await makeTenant(world, teamId));
    await makeAlert(await makeTenant(world));
    await makeAlert({ teamId, projectId: null });
    expect(idsOf(await walk(api, '/alerts', { limit: '1' }, () => makeAlert(mine)))).to.deep.equal(ids);
  });

  it('are shown one by one in GraphQL, by the id in their mails', async () => {
    const [own, wide] = [await makeAlert(mine), await makeAlert({ teamId, projectId: null })];
    const theirs = await makeAlert(await makeTenant(world));
    const viewer = await memberSession(world, teamId, 'viewer');
    const ask = (id: string, cookie?: string) =>
      graphql(world.origin, 'query ($id: ID!) { alert(id: $id) { id teamId projectId } }', { id }, cookie);
    expect((await ask(own, viewer)).data.alert).to.deep.equal({ id: own, teamId, projectId: mine.projectId });
    expect((await ask(wide, viewer)).data.alert).to.deep.equal({ id: wide, teamId, projectId: null });
    const codes = [];
    for (const id of [theirs, newId('alt')]) codes.push((await ask(id, viewer)).errors?.[0]?.extensions.code);
    codes.push((await ask(own)).errors?.[0]?.extensions.code);
    expect(codes).to.deep.equal(['not_found', 'not_found', 'not_signed_in']);
  });

  it('are filtered by kind and status', async () => {
    const at = new Date();
    const open = await makeAlert(mine, { kind: 'health' });
    const seen = await makeAlert(mine, { acknowledgedAt: at });
    const over = await makeAlert(mine, { resolvedAt: at });
    const seenAndOver = await makeAlert(mine, { kind: 'health', acknowledgedAt: at, resolvedAt: at });
    const table: [Record<string, string>, string[]][] = [
      [{ status: 'open' }, [open]],
      [{ status: 'acknowledged' }, [seen]],
      [{ status: 'resolved' }, [seenAndOver, over]],
      [{ kind: 'health' }, [seenAndOver, open]],
      [{ kind: 'health', status: 'open' }, [open]],
      [{ kind: 'billing' }, []],
    ];
    for (const [query, ids] of table) expect(idsOf(await walk(api, '/alerts', query))).to.deep.equal(ids);
    const { next_cursor } = (await api('GET', '/alerts?limit=1&kind=health')).body;
    expectError(await api('GET', `/alerts?limit=1&kind=domain&cursor=${next_cursor}`), 400, 'invalid_request');
    const bad = { kind: 'fire', status: 'closed', team_id: teamId, acknowledged: 'true' };
    expectInvalid(await api('GET', `/alerts?${new URLSearchParams(bad)}`), ...Object.keys(bad));
  });

  it('are acknowledged once: the first time stays', async () => {
    const id = await makeAlert(mine);
    const first = await acknowledge(id);
    expect(first.status).to.equal(200);
    expect(first.body.acknowledged_at).to.match(/Z$/);
    expect((await acknowledge(id)).body).to.deep.equal(first.body);
    expect(await walk(api, '/alerts')).to.deep.equal([first.body]);
  });

  it('404 for alerts of others, of the whole team and of nothing', async () => {
    const ids = [
      await makeAlert(await makeTenant(world, teamId)),
      await makeAlert(await makeTenant(world)),
      await makeAlert({ teamId, projectId: null }),
      newId('alt'),
    ];
    for (const id of ids) expectError(await acknowledge(id), 404, 'not_found');
  });

  it('are filtered by severity and kind in GraphQL', async () => {
    const session = await memberSession(world, teamId, 'viewer');
    const id = await makeAlert(mine);
    const alert = await Alert.findByPk(id, { rejectOnEmpty: true });
    const list = `query ($projectId: ID, $severity: AlertSeverity, $kind: AlertKind) {
      alerts(projectId: $projectId, severity: $severity, kind: $kind) { data { id } } }`;
    const find = async (variables: object) => {
      const { data } = await graphql(world.origin, list, { projectId: mine.projectId, ...variables }, session);
      return idsOf(data.alerts.data);
    };
    const [severity, kind] = [alert.severity, alert.kind];
    expect(await find({ severity, kind })).to.deep.equal([id]);
    for (const other of ['info', 'warning', 'critical'].filter((one) => one !== severity))
      expect(await find({ severity: other })).to.deep.equal([]);
    expect(await find({ severity, kind: kind === 'billing' ? 'domain' : 'billing' })).to.deep.equal([]);
  });

  it('of the whole team are for its people, through /graphql', async () => {
    const session = await ownerSession(world);
    const id = await makeAlert({ teamId, projectId: null });
    const ofProject = await makeAlert(mine);
    const ask = (query: string, variables: object, cookie = session) =>
      graphql(world.origin, query, { ...variables }, cookie);
    const list =
      'query ($teamId: ID, $projectId: ID) { alerts(teamId: $teamId, projectId: $projectId) { data { id } } }';
    const ofTeam = await ask(list, { teamId });
    expect(idsOf(ofTeam.data.alerts.data).slice(0, 2)).to.deep.equal([ofProject, id]);
    expect((await ask(list, { projectId: mine.projectId })).data.alerts.data).to.deep.equal([{ id: ofProject }]);
    const mutation = 'mutation ($id: ID!) { acknowledgeAlert(id: $id) { acknowledgedAt } }';
    const viewer = await memberSession(world, teamId, 'viewer');
    expect((await ask(mutation, { id }, viewer)).errors?.[0]?.extensions.code).to.equal('insufficient_scope');
    expect((await ask(mutation, { id })).data.acknowledgeAlert.acknowledgedAt).to.match(/Z$/);
    const others = await makeTenant(world);
    const foreign = await makeAlert({ teamId: others.teamId, projectId: null });
    for (const reply of [ask(list, { teamId: others.teamId }), ask(mutation, { id: foreign })]) {
      expect((await reply).errors?.[0]?.extensions.code).to.equal('not_found');
    }
  });

  const RESOLVE = 'mutation ($id: ID!) { resolveAlert(id: $id) { id acknowledgedAt resolvedAt updatedAt } }';
  const COUNT =
    'query ($teamId: ID, $projectId: ID) { alertCounts(teamId: $teamId, projectId: $projectId) { info warning critical } }';

  it('are resolved by hand once, through /graphql; what was acknowledged stays until then', async () => {
    const session = await ownerSession(world);
    const id = await makeAlert(mine);
    await acknowledge(id);
    expect(idsOf(await walk(api, '/alerts', { status: 'acknowledged' }))).to.deep.equal([id]);
    const first = await graphql(world.origin, RESOLVE, { id }, session);
    expect(first.data.resolveAlert).to.include({ id });
    expect(first.data.resolveAlert.resolvedAt).to.match(/Z$/);
    expect((await graphql(world.origin, RESOLVE, { id }, session)).data).to.deep.equal(first.data);
    expect(idsOf(await walk(api, '/alerts', { status: 'acknowledged' }))).to.deep.equal([]);
    expect(idsOf(await walk(api, '/alerts', { status: 'resolved' }))).to.deep.equal([id]);
    const viewer = await memberSession(world, teamId, 'viewer');
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    const other = await makeAlert(mine);
    const table: [cookie: string, code: string][] = [
      [viewer, 'insufficient_scope'],
      [stranger, 'not_found'],
    ];
    for (const [cookie, code] of table) {
      const { errors } = await graphql(world.origin, RESOLVE, { id: other }, cookie);
      expect(errors?.[0]?.extensions.code).to.equal(code);
    }
  });

  it('note who has seen and who has resolved them, each once', async () => {
    const session = await ownerSession(world);
    const id = await makeAlert(mine, { title: 'Smoke' });
    for (let asked = 0; asked < 2; asked += 1) {
      await acknowledge(id);
      await graphql(world.origin, RESOLVE, { id }, session);
    }
    const entries = await AuditEntry.findAll({ where: { subjectId: id }, order: [['createdAt', 'ASC']] });
    const shown = entries.map(({ action, actorKind, projectId, subjectName }) => ({
      action,
      actorKind,
      projectId,
      subjectName,
    }));
    const subject = { projectId: mine.projectId, subjectName: 'Smoke' };
    expect(shown).to.deep.equal([
      { action: 'alert.acknowledged', actorKind: 'key', ...subject },
      { action: 'alert.resolved', actorKind: 'user', ...subject },
    ]);
  });

  it('are one for each incident that is open, however many raise it at once, and one more after it is over', async () => {
    const incident = newId('alt');
    const alert = { ...mine, kind: 'domain', severity: 'info', title: 'T', message: 'M', incident } as const;
    const raise = () => inTransaction((transaction) => raiseAlert(transaction, alert));
    const raised = async () => (await Promise.all([raise(), raise(), raise(), raise()])).filter((one) => one !== null);
    const [first, ...more] = await raised();
    expect(more).to.deep.equal([]);
    await acknowledge(first?.id ?? '');
    expect(await raised()).to.deep.equal([]);
    await inTransaction((transaction) => resolveAlert(transaction, incident));
    expect((await raised()).length).to.equal(1);
    const shown = await walk(api, '/alerts');
    expect(shown.map(({ resolved_at }) => resolved_at === null)).to.deep.equal([true, false]);
    expect(await Event.count({ where: { projectId: mine.projectId, type: 'alert.created' } })).to.equal(2);
  });

  it('have the kinds of the contract', () => {
    const kinds = [
      'health',
      'traffic_anomaly',
      'link_flagged',
      'webhook_disabled',
      'billing',
      'domain',
      'security',
      'lost_journal',
    ];
    expect(Object.keys(ALERT_KINDS)).to.have.members(kinds);
  });

  it('are counted by severity while nobody has seen them and they are not over', async () => {
    const others = await makeTenant(world);
    const session = await memberSession(world, others.teamId, 'viewer');
    const at = new Date();
    for (const severity of ['critical', 'critical', 'warning']) await makeAlert(others, { severity });
    for (const more of [{ acknowledgedAt: at }, { resolvedAt: at }]) await makeAlert(others, more);
    await makeAlert({ ...others, projectId: null });
    const count = async (variables: Record<string, string>) =>
      (await graphql(world.origin, COUNT, variables, session)).data;
    const ofProject = { info: 0, warning: 1, critical: 2 };
    expect((await count({ projectId: others.projectId })).alertCounts).to.deep.equal(ofProject);
    expect((await count({ teamId: others.teamId })).alertCounts).to.deep.equal({ ...ofProject, info: 1 });
    const { errors } = await graphql(world.origin, COUNT, { teamId }, session);
    expect(errors?.[0]?.extensions.code).to.equal('not_found');
  });
});
