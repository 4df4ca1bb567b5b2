// stores: any
import { expect } from 'chai';
import { purgeAlerts } from '../../../src/alerts/purgeAlerts.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { log } from '../../../src/kernel/log.ts';
import { purgeMails } from '../../../src/mail/mailQueue.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { ALERT_KINDS } from '../../../src/models/alertKinds.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Project } from '../../../src/models/Project.ts';
import { makeMember, makeTeam, queueMail, raise, raiseIn, sendDue } from '../../support/mailRows.ts';
import { type MailServer, smtpError, startMailServer } from '../../support/mailServer.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const DAY = 86_400;

describe('mails of alerts', () => {
  let store: OpenStore;
  let time: StoppedClock;
  let server: MailServer;
  let smtpUrl: string;
  let teamId: string;
  let refuse: (address: string) => Error | null;

  before(async () => {
    store = await openStore({ BASE_URL: 'https://svc.example', SMTP_URL: 'smtp://127.0.0.1:1' });
    server = await startMailServer({ onRcptTo: ({ address }, _, done) => done(refuse(address)) });
    smtpUrl = server.url;
  });
  after(async () => {
    await server.close();
    await store.close();
  });
  beforeEach(async () => {
    time = stopClock();
    refuse = () => null;
    config.smtpUrl = smtpUrl;
    teamId = await makeTeam('<b>Team</b> evil.example');
  });
  afterEach(async () => {
    clock.reset();
    Object.assign(config, { mailAlertsPerHour: 20 });
    server.received.length = 0;
    await inTransaction((transaction) => Mail.destroy({ where: {}, transaction }));
  });

  const member = makeMember;
  const raiseMany = async (count: number, team = teamId) => {
    for (let made = 0; made < count; made += 1) await raise(team);
  };
  const subjectsTo = (address: string) => server.to(address).map(({ mail }) => mail.subject);

  it('go to owners and admins, not to members and viewers, once', async () => {
    const [owner, admin] = [await member(teamId, 'owner'), await member(teamId, 'admin')];
    for (const role of ['member', 'viewer'] as const) await member(teamId, role);
    await member(await makeTeam(), 'owner');
    await raise(teamId, { incident: 'one' });
    expect(await raise(teamId, { incident: 'one' })).to.equal(null);
    await Promise.all([sendDue(), sendDue()]);
    expect(server.received.map(({ to }) => to)).to.have.deep.members([[owner.email], [admin.email]]);
  });

  it('go to whoever has chosen the kind, whatever their role, and not to who has not', async () => {
    for (const kind of Object.keys(ALERT_KINDS) as Alert['kind'][]) {
      const team = await makeTeam();
      const wanting = await member(team, 'viewer', [kind]);
      await member(
        team,
        'owner',
        Object.keys(ALERT_KINDS).filter((other) => other !== kind),
      );
      server.received.length = 0;
      await raise(team, { kind });
      await sendDue();
      expect(server.received.map(({ to }) => to)).to.deep.equal([[wanting.email]]);
    }
  });

  it('tell of the alert, its team and its project, with all that is foreign escaped', async () => {
    const owner = await member(teamId, 'owner');
    const projectId = newId('prj');
    await inTransaction((transaction) =>
      Project.create({ id: projectId, teamId, name: 'Shop "&"', apps: [] }, { transaction }),
    );
    const hostile = { title: 'A <i>title</i>\r\nBcc: x@example.com', message: '<script>alert(1)</script> & more' };
    const alert = await raise(teamId, { ...hostile, kind: 'domain', severity: 'critical', projectId });
    await sendDue();
    const [{ mail, raw, to }] = server.to(owner.email) as [MailServer['received'][0]];
    expect(to).to.deep.equal([owner.email]);
    expect(mail.subject).to.equal('A <i>title</i> Bcc: x@example.com – Shop "&"');
    expect(raw).to.not.match(/^Bcc:/im);
    expect(mail.bcc ?? []).to.deep.equal([]);
    expect(mail.text).to.contain('<script>alert(1)</script> & more').and.contain('Severity: critical');
    expect(mail.text).to.contain(`https://svc.example/app/alerts/${alert?.id}`);
    expect(mail.html).to.not.match(/<script|<i>|<b>/);
    expect(mail.html)
      .to.contain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; more')
      .and.contain('Shop &quot;&amp;&quot;');
    expect(mail.html).to.contain('&lt;b&gt;Team&lt;/\u2060b&gt; evil.\u2060example');
  });

  it('do not go to who has left, or has switched them off, since', async () => {
    const [gone, off, there] = [
      await member(teamId, 'owner'),
      await member(teamId, 'owner'),
      await member(teamId, 'owner'),
    ];
    await raise(teamId);
    await inTransaction(async (transaction) => {
      await Membership.destroy({ where: { teamId, userId: gone.userId }, transaction });
      await Membership.update({ mailKinds: [] }, { where: { teamId, userId: off.userId }, transaction });
    });
    await sendDue();
    expect(server.received.map(({ to }) => to)).to.deep.equal([[there.email]]);
    expect(await Mail.count({ where: { status: 'waiting' } })).to.equal(0);
  });

  it('are not written when what raised the alert is rolled back, and no line of the log either', async () => {
    await member(teamId, 'owner');
    const lines: unknown[] = [];
    const { warn } = log;
    log.warn = ((line: unknown) => lines.push(line)) as never;
    try {
      const told = await raise(teamId);
      const facts = { kind: 'health', severity: 'warning', title: 'Title', team: teamId, project: null };
      expect(lines).to.deep.equal([{ alert: told?.id, ...facts, link: null, webhook: null }]);
      await inTransaction(async (transaction) => {
        await raiseIn(transaction, teamId);
        throw new Error('rolled back');
      }).catch(() => {});
      expect(lines.length).to.equal(1);
      expect(await Mail.count()).to.equal(1);
    } finally {
      log.warn = warn;
    }
  });

  describe('in a flood', () => {
    it('are twenty an hour one by one, then one mail that says how many more, and where', async () => {
      const owner = await member(teamId, 'owner');
      await raiseMany(75);
      await Promise.all([sendDue(), sendDue(), sendDue()]);
      expect(server.to(owner.email).length).to.equal(20);
      await raiseMany(5);
      await sendDue();
      time.move(config.mailDigestSeconds);
      await Promise.all([sendDue(), sendDue()]);
      await sendDue();
      const [digest, ...more] = server.to(owner.email).slice(20);
      expect(more).to.deep.equal([]);
      expect(digest?.mail.subject).to.equal('60 more alerts');
      expect(digest?.mail.text).to.contain('60 × health: <b>Team</\u2060b>');
      expect(digest?.mail.text).to.contain(`https://svc.example/app/alerts?team=${teamId}`);
      expect(digest?.mail.html).to.not.contain('<b>');
      expect(await Mail.count({ where: { status: ['waiting', 'held'] } })).to.equal(0);
    });

    it('come one by one again an hour later', async () => {
      const owner = await member(teamId, 'owner');
      await raiseMany(21);
      await sendDue();
      time.move(3601);
      await sendDue();
      await sendDue();
      expect(subjectsTo(owner.email).at(-1)).to.equal('One more alert');
      await raiseMany(2);
      await sendDue();
      expect(server.to(owner.email).length).to.equal(20 + 1 + 2);
    });

    it('that waited while the mail server was away are bundled as well', async () => {
      const owner = await member(teamId, 'owner');
      config.smtpUrl = 'smtp://127.0.0.1:1';
      for (let hour = 0; hour < 3; hour += 1) {
        await raiseMany(15);
        await sendDue();
        time.move(3600);
      }
      config.smtpUrl = smtpUrl;
      await sendDue();
      expect(server.to(owner.email).length).to.be.at.most(20);
      time.move(config.mailDigestSeconds);
      await sendDue();
      await sendDue();
      const digest = server.to(owner.email).at(-1);
      expect(digest?.mail.subject).to.equal(`${45 - (server.to(owner.email).length - 1)} more alerts`);
    });

    it('of one person hold up nobody else, and no mail of accounts', async () => {
      const [busy, other] = [await member(teamId, 'owner'), await makeTeam()];
      const quiet = await member(other, 'owner');
      config.mailAlertsPerHour = 2;
      await raiseMany(10);
      await raise(other);
      await queueMail('ann@example.com');
      await sendDue();
      expect(server.received[0]?.to).to.deep.equal(['ann@example.com']);
      expect(server.to(busy.email).length).to.equal(2);
      expect(server.to(quiet.email).length).to.equal(1);
    });

    it('are counted over all teams of a person; of teams they have left nothing is told', async () => {
      const owner = await member(teamId, 'owner');
      const [other, left] = [await makeTeam('Other'), await makeTeam('Left')];
      await inTransaction(async (transaction) => {
        for (const team of [other, left])
          await Membership.create({ teamId: team, userId: owner.userId, role: 'admin' }, { transaction });
      });
      config.mailAlertsPerHour = 1;
      for (const team of [teamId, other, left]) await raiseMany(3, team);
      await sendDue();
      await inTransaction((transaction) => Membership.destroy({ where: { teamId: left }, transaction }));
      time.move(config.mailDigestSeconds);
      await sendDue();
      const digest = server.to(owner.email)[1];
      expect(digest?.mail.subject).to.equal('5 more alerts');
      expect(digest?.mail.text).to.contain('3 × health: Other').and.not.contain('Left');
    });

    it('that are tried again count once', async () => {
      const owner = await member(teamId, 'owner');
      config.mailAlertsPerHour = 3;
      refuse = () => smtpError(451, 'Later');
      await raiseMany(3);
      await sendDue();
      refuse = () => null;
      time.move(40);
      await sendDue();
      expect(server.to(owner.email).length).to.equal(3);
    });
  });

  it('are forgotten after MAIL_RETENTION_DAYS, in batches, whatever became of them', async () => {
    for (let made = 0; made < 5; made += 1) await queueMail(`old${made}@example.com`);
    time.move(config.mailRetentionDays * DAY);
    expect(await purgeMails(3)).to.equal(false);
    time.move(1);
    const young = await queueMail('young@example.com');
    expect([await purgeMails(3), await purgeMails(3)]).to.deep.equal([true, false]);
    expect((await Mail.findAll()).map(({ id }) => id)).to.deep.equal([young.id]);
  });

  it('and the alerts that are over after ALERT_RETENTION_DAYS; those that are not stay', async () => {
    const over = [await raise(teamId), await raise(teamId), await raise(teamId)];
    const open = await raise(teamId);
    await inTransaction((transaction) =>
      Alert.update(
        { resolvedAt: new Date(time.nowMs) },
        { where: { id: over.map((one) => one?.id ?? '') }, transaction },
      ),
    );
    time.move(config.alertRetentionDays * DAY);
    expect(await purgeAlerts(2)).to.equal(false);
    time.move(1);
    expect([await purgeAlerts(2), await purgeAlerts(2)]).to.deep.equal([true, false]);
    expect((await Alert.findAll({ where: { teamId } })).map(({ id }) => id)).to.deep.equal([open?.id]);
  });
});
