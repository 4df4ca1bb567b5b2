// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { config } from '../../../src/kernel/config.ts';
import { type ClaimedMail, claimMail, recordHandOver } from '../../../src/mail/claimMail.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { queueMail, sendDue } from '../../support/mailRows.ts';
import { type MailServer, smtpError, startMailServer } from '../../support/mailServer.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const SETTINGS = {
  BASE_URL: 'https://svc.example',
  MAIL_FROM: 'Links <links@svc.example>',
  MAIL_RETRY_SECONDS: '100,1000',
  SMTP_URL: 'smtp://127.0.0.1:1',
};

describe('sending mails', () => {
  let store: OpenStore;
  let time: StoppedClock;
  let server: MailServer;
  let refuse: (address: string) => Error | null;
  let onMail: () => unknown;

  before(async () => {
    store = await openStore(SETTINGS);
  });
  after(() => store.close());
  beforeEach(async () => {
    time = stopClock();
    refuse = () => null;
    onMail = () => {};
    server = await startMailServer(
      { onRcptTo: ({ address }, _, done) => done(refuse(address)) },
      { onMail: () => onMail() },
    );
    config.smtpUrl = server.url;
  });
  afterEach(async () => {
    clock.reset();
    await server.close();
    await inTransaction((transaction) => Mail.destroy({ where: {}, transaction }));
  });

  const messageIds = () => server.received.map(({ mail }) => mail.messageId);
  const gap = async (mail: Mail) => ((await mail.reload()).nextAttemptAt?.getTime() ?? 0) - time.nowMs;
  const [FIRST_GAP, MARGIN] = [100_000, 10_001];

  it('give text and HTML, who sends them, when and that a machine does; then what they say is forgotten', async () => {
    const row = await queueMail('ann@example.com', { subject: 'Grüße', text: 'Täxt\n', html: '<p>Täxt &amp;</p>' });
    expect(row.content).to.match(/^v2\./).and.not.contain('subject');
    await sendDue();
    const [{ from, to, raw, mail }] = server.received as [MailServer['received'][0]];
    expect([from, to]).to.deep.equal(['links@svc.example', ['ann@example.com']]);
    expect(mail).to.deep.include({ subject: 'Grüße', messageId: `<${row.id}@svc.example>` });
    expect(mail.text?.trim()).to.equal('Täxt');
    expect(mail.html).to.contain('<p>Täxt &amp;</p>');
    expect(mail.from).to.deep.include({ name: 'Links', address: 'links@svc.example' });
    expect(new Date(mail.date ?? '').getTime()).to.equal(row.createdAt.getTime() - row.createdAt.getMilliseconds());
    expect(raw)
      .to.match(/^Auto-Submitted: auto-generated\r$/im)
      .and.not.match(/^X-Mailer/im);
    const { status, content, attempts, sentAt, error } = await row.reload();
    expect({ status, content, attempts, error }).to.deep.equal({
      status: 'sent',
      content: null,
      attempts: 1,
      error: null,
    });
    expect(sentAt?.getTime()).to.equal(time.nowMs);
    await sendDue();
    expect(server.received.length).to.equal(1);
  });

  it('come from no-reply at our host where MAIL_FROM says nothing', async () => {
    const { mailFrom } = config;
    config.mailFrom = null;
    await queueMail('ann@example.com');
    await sendDue();
    config.mailFrom = mailFrom;
    expect(server.received[0]?.from).to.equal('no-reply@svc.example');
  });

  it('are written once for each reference', async () => {
    await queueMail('ann@example.com', { reference: 'one' });
    await queueMail('ann@example.com', { reference: 'one' });
    await sendDue();
    expect(server.received.length).to.equal(1);
  });

  it('are tried again after a 451, each later, under the same Message-ID', async () => {
    refuse = () => smtpError(451, 'Greylisted, come back later');
    const row = await queueMail('ann@example.com');
    await sendDue();
    expect(await gap(row)).to.be.closeTo(FIRST_GAP, MARGIN);
    expect(row.error).to.contain('451').and.contain('Greylisted');
    expect(row.status).to.equal('waiting');
    await sendDue();
    expect((await row.reload()).attempts).to.equal(1);
    time.move(110);
    await sendDue();
    expect(await gap(row)).to.be.closeTo(1_000_000, 100_001);
    refuse = () => null;
    time.move(1100);
    await sendDue();
    expect(messageIds()).to.deep.equal([`<${row.id}@svc.example>`]);
    expect((await row.reload()).status).to.equal('sent');
  });

  it('are given up after as many attempts as MAIL_RETRY_SECONDS says, and what they say is forgotten', async () => {
    refuse = () => smtpError(452, 'Mailbox full');
    const row = await queueMail('ann@example.com');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await sendDue();
      time.move(1100);
    }
    await row.reload();
    expect(row).to.deep.include({ status: 'failed', content: null, attempts: 3, nextAttemptAt: null });
    expect(row.error).to.contain('Mailbox full');
  });

  it('are given up at once when there is no such mailbox; others go out', async () => {
    refuse = (address) => (address === 'nobody@example.com' ? smtpError(550, 'No such user') : null);
    const gone = await queueMail('nobody@example.com');
    await queueMail('ann@example.com');
    await sendDue();
    expect((await gone.reload()).status).to.equal('failed');
    expect(gone.error).to.contain('550').and.contain('No such user');
    expect(gone.content).to.equal(null);
    expect(server.to('ann@example.com').length).to.equal(1);
  });

  it('are for one address: what could be several is given up', async () => {
    const bad = [
      'a@example.com,b@example.com',
      'a@example.com>\r\nRCPT TO:<b@example.com',
      'Ann <a@example.com>',
      'ann',
    ];
    for (const address of bad) await queueMail(address);
    await sendDue();
    expect(server.received).to.deep.equal([]);
    expect(await Mail.count({ where: { status: 'failed' } })).to.equal(bad.length);
  });

  it('are sent once by several workers', async () => {
    const addresses = Array.from({ length: 30 }, (_, at) => `p${at}@example.com`);
    for (const address of addresses) await queueMail(address);
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    expect(server.received.map(({ to }) => to[0]).sort()).to.deep.equal([...addresses].sort());
    expect(new Set(messageIds()).size).to.equal(30);
  });

  it('come again under the same Message-ID when the process dies before it is written down', async () => {
    const row = await queueMail('ann@example.com');
    onMail = () => store.goAway();
    const error = await sendDue().then(
      () => null,
      (reason) => reason,
    );
    expect(error).to.be.an('error');
    onMail = () => {};
    await store.comeBack();
    // Others wait until they can be sure that it died.
    await sendDue();
    expect(server.received.length).to.equal(1);
    time.move(6 * config.mailTimeoutSeconds + 31);
    await sendDue();
    expect(messageIds()).to.deep.equal(Array(2).fill(`<${row.id}@svc.example>`));
    expect((await row.reload()).status).to.equal('sent');
  });

  it('belong to who claimed them last: what comes later than its lease changes nothing', async () => {
    const row = await queueMail('ann@example.com');
    const slow = await claimMail();
    expect(slow?.id).to.equal(row.id);
    expect(await claimMail()).to.equal(null);
    time.move(6 * config.mailTimeoutSeconds + 31);
    const next = await claimMail();
    await recordHandOver(slow as ClaimedMail, { kind: 'refused', error: 'too late' });
    expect(await row.reload()).to.deep.include({ status: 'waiting', attempts: 2, error: null });
    await recordHandOver(next as ClaimedMail, { kind: 'sent' });
    await recordHandOver(slow as ClaimedMail, { kind: 'later', error: 'too late' });
    expect(await row.reload()).to.deep.include({ status: 'sent', error: null, content: null });
  });

  it('wait for a server that is down, of which only one mail asks at a time', async () => {
    const { port } = server;
    await server.close();
    const rows = [
      await queueMail('ann@example.com'),
      await queueMail('ben@example.com'),
      await queueMail('eve@example.com'),
    ];
    await sendDue();
    const attempts = async () => Promise.all(rows.map(async (row) => (await row.reload()).attempts));
    expect(await attempts()).to.deep.equal([1, 0, 0]);
    expect(rows[0]?.error).to.contain('ECONNREFUSED');
    await sendDue();
    expect(await attempts()).to.deep.equal([1, 1, 0]);
    server = await startMailServer({}, { port });
    time.move(111);
    await sendDue();
    expect(server.received.map(({ to }) => to[0]).sort()).to.deep.equal([
      'ann@example.com',
      'ben@example.com',
      'eve@example.com',
    ]);
  });

  it('wait where our sender is refused: that is for us to repair', async () => {
    await server.close();
    server = await startMailServer({ onMailFrom: (_, __, done) => done(smtpError(550, 'Not your domain')) });
    config.smtpUrl = server.url;
    const row = await queueMail('ann@example.com');
    await sendDue();
    expect((await row.reload()).status).to.equal('waiting');
    expect(row.error).to.contain('Not your domain');
  });

  it('that cannot be read, because they were sealed with another key, wait for that key', async () => {
    const row = await queueMail('ann@example.com');
    const content = (row.content ?? '').replace(/^v2\.\w+/, 'v2.00000000');
    await inTransaction((transaction) => row.update({ content }, { transaction }));
    await sendDue();
    expect((await row.reload()).status).to.equal('waiting');
    expect(row.error).to.contain('SECRET_KEY');
  });

  it('are not even written without SMTP_URL', async () => {
    const row = await queueMail('ann@example.com');
    config.smtpUrl = null;
    await queueMail('ben@example.com').catch(() => {});
    await sendDue();
    expect(await Mail.count()).to.equal(1);
    expect((await row.reload()).attempts).to.equal(0);
  });
});
