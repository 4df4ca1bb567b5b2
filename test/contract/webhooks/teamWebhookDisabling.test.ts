// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { graphql } from '../../support/graphql.ts';
import { makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import { useSettings, useWorld } from '../../support/world.ts';

describe('team-wide webhooks that fail for too long', () => {
  const world = useWorld();
  useSettings({ webhookCircuitAfter: 0, webhookRetrySeconds: [1000, 1000] });
  let teamId: string;
  let mine: Tenant;
  /** The one that fails, another one of the team, and one of the project. */
  let receiver: Receiver;
  let fellow: Receiver;
  let witness: Receiver;

  before(async () => {
    stopClock();
    teamId = (await firstTenant(world)).teamId;
    mine = await makeTenant(world, teamId);
    receiver = await startReceiver((_, response) => response.writeHead(500).end());
    [fellow, witness] = [await startReceiver(), await startReceiver()];
    await makeHook(mine.api, { url: witness.url, event_types: ['alert.created'] });
  });
  after(async () => {
    for (const { id } of (await mine.api('GET', '/webhooks')).body.data) await mine.api('DELETE', `/webhooks/${id}`);
    await Promise.all([receiver, fellow, witness].map((one) => one.close()));
    clock.reset();
  });

  it('have an alert of the whole team, which team-wide webhooks alone get', async () => {
    const session = await ownerSession(world);
    const ask = async (document: string, variables: object) => {
      const { data, errors } = await graphql(world.origin, document, { ...variables }, session);
      expect(errors).to.equal(undefined);
      return data;
    };
    const create = async (url: string) => {
      const document = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
      const input = { teamId, url, eventTypes: ['link.created', 'alert.created'] };
      return (await ask(document, { input })).createWebhook.id;
    };
    const wide = await create(receiver.url);
    const other = await create(fellow.url);
    await raiseEvents(mine, 25);
    const isAlert = ({ event }: { event: { type: string } }) => event.type === 'alert.created';
    const { event } = await fellow.waitFor(isAlert, 'the alert');
    expect(event).to.include({ project_id: null, team_id: teamId });
    expect(event.data.alert).to.include({ project_id: null, webhook_id: wide, kind: 'webhook_disabled' });
    const { webhook } = await ask('query ($id: ID!) { webhook(id: $id) { status disabledReason } }', { id: wide });
    expect(webhook).to.deep.equal({ status: 'disabled', disabledReason: 'failures' });
    await raiseEvents(mine, 1, 'alert.created');
    await until(() => witness.received.length >= 1, 'an alert at another webhook');
    expect(witness.received.map(({ event: heard }) => heard.data.alert.webhook_id)).to.not.include(wide);
    expect(await walk(mine.api, '/alerts', { kind: 'webhook_disabled' })).to.deep.equal([]);
    expect(receiver.received.filter(isAlert)).to.deep.equal([]);
    expect(fellow.received.filter((heard) => isAlert(heard) && heard.event.project_id === null).length).to.equal(1);
    for (const id of [wide, other]) await ask('mutation ($id: ID!) { deleteWebhook(id: $id) }', { id });
  });
});
