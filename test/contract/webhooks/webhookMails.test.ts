// stores: any
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { config } from '../../../src/kernel/config.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { makeMember } from '../../support/mailRows.ts';
import { type MailServer, startMailServer } from '../../support/mailServer.ts';
import { makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';
import { startWorld, type World } from '../../support/world.ts';

describe('a webhook that is switched off', () => {
  let world: World;
  let server: MailServer;
  let receiver: Receiver;
  let mine: Tenant;

  before(async () => {
    [server, receiver] = await Promise.all([
      startMailServer(),
      startReceiver((_, response) => response.writeHead(500).end()),
    ]);
    const never = { WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_RETRY_SECONDS: '1000,1000', WEBHOOK_DISABLE_AFTER: '3' };
    world = await startWorld({ ...never, SMTP_URL: server.url });
  });
  after(async () => {
    await world.stop();
    await Promise.all([server.close(), receiver.close()]);
  });
  beforeEach(async () => {
    mine = await makeTenant(world);
  });

  const switchOff = async () => {
    const hook = await makeHook(mine.api, { url: receiver.url });
    await raiseEvents(mine, 8);
    await hook.untilShows({ status: 'disabled' });
    return hook;
  };

  it('is told of by mail, to owners and admins alone, once each', async () => {
    const owner = await makeMember(mine.teamId, 'owner');
    const admin = await makeMember(mine.teamId, 'admin');
    const member = await makeMember(mine.teamId, 'member');
    const wanting = await makeMember(mine.teamId, 'viewer', ['webhook_disabled']);
    await switchOff();
    const [alert] = await walk(mine.api, '/alerts', { kind: 'webhook_disabled' });
    for (const { email } of [owner, admin, wanting]) {
      const [received] = await server.waitFor(email);
      expect(received?.mail.subject).to.contain('A webhook was disabled');
      expect(received?.mail.text).to.contain(`/app/alerts/${alert.id}`).and.contain(receiver.url);
    }
    await delay(200);
    for (const { email } of [owner, admin, wanting]) expect(server.to(email).length).to.equal(1);
    expect(server.to(member.email)).to.deep.equal([]);
  });

  it('is told of on the page alone without SMTP_URL', async () => {
    const smtpUrl = config.smtpUrl;
    config.smtpUrl = null;
    try {
      await makeMember(mine.teamId, 'owner');
      const before = await Mail.count();
      await switchOff();
      expect((await walk(mine.api, '/alerts')).length).to.equal(1);
      expect(await Mail.count()).to.equal(before);
    } finally {
      config.smtpUrl = smtpUrl;
    }
  });
});
