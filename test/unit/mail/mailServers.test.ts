// stores: any
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { config } from '../../../src/kernel/config.ts';
import { log } from '../../../src/kernel/log.ts';
import { sendMails } from '../../../src/mail/sendMails.ts';
import { isTlsRequired, warnOfPlainMail } from '../../../src/mail/smtpPool.ts';
import { Mail } from '../../../src/models/Mail.ts';
import { Authority } from '../../support/authority.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { queueMail, sendDue } from '../../support/mailRows.ts';
import { type MailServer, startMailServer } from '../../support/mailServer.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

describe('mail servers', () => {
  let store: OpenStore;
  let authority: Authority;
  const opened: { close(): unknown }[] = [];

  before(async () => {
    store = await openStore({ MAIL_TIMEOUT_SECONDS: '1', SMTP_URL: 'smtp://127.0.0.1:1' });
    authority = await Authority.make();
  });
  after(() => store.close());
  afterEach(async () => {
    config.mailTimeoutSeconds = 1;
    for (const one of opened.splice(0)) await one.close();
    await inTransaction((transaction) => Mail.destroy({ where: {}, transaction }));
  });

  const start = async (...args: Parameters<typeof startMailServer>): Promise<MailServer> => {
    const server = await startMailServer(...args);
    opened.push(server);
    config.smtpUrl = server.url;
    return server;
  };
  /** A server that does with each connection what it likes. */
  const play = async (onConnection: (socket: Socket) => void): Promise<{ connections: Socket[] }> => {
    const connections: Socket[] = [];
    const server: Server = createServer((socket) => {
      connections.push(socket);
      socket.on('error', () => {});
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({
      close: () => {
        for (const socket of connections) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    config.smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { connections };
  };
  const trusted = async (work: () => Promise<void>) => {
    const distrust = authority.trust();
    await work().finally(distrust);
  };
  const took = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const waits = async (row: Mail, about: RegExp) => {
    expect((await row.reload()).status).to.equal('waiting');
    expect(row.error).to.match(about);
  };

  it('that never answer are left after MAIL_TIMEOUT_SECONDS, by one mail of many', async () => {
    const { connections } = await play(() => {});
    const row = await queueMail('ann@example.com');
    await queueMail('ben@example.com');
    expect(await took(sendDue)).to.be.within(900, LATE_MS);
    await waits(row, /greeting|timeout/i);
    expect(connections.length).to.equal(1);
  });

  it('that dribble, so that no step ever ends, are left after six times that', async () => {
    await play((socket) => {
      socket.write('220 mail ESMTP\r\n');
      const timer = setInterval(() => socket.write('250-more\r\n'), 300);
      socket.on('close', () => clearInterval(timer));
    });
    const row = await queueMail('ann@example.com');
    expect(await took(sendDue)).to.be.within(5500, 5500 + LATE_MS);
    await waits(row, /abort/i);
  });

  it('that hang keep no process from stopping', async () => {
    config.mailTimeoutSeconds = 60;
    const { connections } = await play(() => {});
    const row = await queueMail('ann@example.com');
    const stopping = new AbortController();
    setTimeout(() => stopping.abort(), 300);
    expect(await took(() => sendMails(stopping.signal))).to.be.within(5000, 5000 + LATE_MS);
    await waits(row, /abort/i);
    expect(connections.length).to.equal(1);
  });

  it('that answer nonsense, or break off, are left', async () => {
    await play((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const row = await queueMail('ann@example.com');
    await sendDue();
    await waits(row, /./);
    await play((socket) => socket.write(`220 ${'x'.repeat(3_000_000)}`));
    const other = await queueMail('ben@example.com');
    await sendDue();
    await waits(other, /./);
  });

  it('are spoken to by STARTTLS where they offer it, with a certificate that counts', async () => {
    const server = await start(await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] }));
    const row = await queueMail('ann@example.com');
    await sendDue();
    expect(server.received).to.deep.equal([]);
    await waits(row, /certificate|issuer|verify/i);
    await queueMail('ben@example.com');
    await trusted(sendDue);
    expect(server.received.map(({ to, isEncrypted }) => [to[0], isEncrypted])).to.deep.equal([
      ['ben@example.com', true],
    ]);
  });

  it('are spoken to by TLS from the first byte with smtps://', async () => {
    const certificate = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
    const server = await start({ ...certificate, secure: true });
    config.smtpUrl = server.url.replace('smtp:', 'smtps:');
    await queueMail('ann@example.com');
    await trusted(sendDue);
    expect(server.received.map(({ isEncrypted }) => isEncrypted)).to.deep.equal([true]);
  });

  it('get user and password of SMTP_URL; a wrong one waits to be put right, and is told nowhere', async () => {
    const server = await start({
      authOptional: false,
      onAuth: ({ username, password }, _, done) =>
        done(password === 'p@ss/word' ? null : new Error('Invalid login'), { user: username ?? '' }),
      allowInsecureAuth: true,
    });
    config.smtpUrl = server.url.replace('//', '//ann%40example.com:wrong-one@');
    const row = await queueMail('ann@example.com');
    await sendDue();
    await waits(row, /Invalid login/);
    expect(row.error).to.not.match(/wrong-one|d3Jvbmctb25l/);
    config.smtpUrl = server.url.replace('//', '//ann%40example.com:p%40ss%2Fword@');
    await queueMail('ben@example.com');
    await sendDue();
    expect(server.received.map(({ user }) => user)).to.deep.equal(['ann@example.com']);
  });

  it('that are far away and may get mails in clear are warned of, unless SMTP_URL says that it is meant so', () => {
    const warned = (url: string) => {
      const said: string[] = [];
      const { warn } = log;
      config.smtpUrl = url;
      log.warn = ((message: string) => said.push(message)) as typeof log.warn;
      try {
        warnOfPlainMail();
      } finally {
        log.warn = warn;
      }
      return said.join();
    };
    expect(warned('smtp://mail.example.com')).to.match(/mail\.example\.com.*requireTLS=true/);
    for (const fine of [
      'smtps://mail.example.com',
      'smtp://mail.example.com?requireTLS=true',
      'smtp://mail.example.com?requireTLS=false',
      'smtp://ann:secret@mail.example.com',
      'smtp://localhost:1025',
      'smtp://10.0.0.25',
      'smtp://[fd12::25]',
      'smtp://mail:1025',
      'smtp://relay.internal',
    ]) {
      expect(warned(fine), fine).to.equal('');
    }
  });

  it('that are far away get no password without encryption, unless SMTP_URL says so', async () => {
    const required = (url: string) => isTlsRequired(new URL(url));
    expect(required('smtp://ann:secret@mail.example.com:587')).to.equal(true);
    expect(required('smtp://ann:secret@mail.example.com:587?requireTLS=false')).to.equal(false);
    expect(required('smtp://mail.example.com')).to.equal(false);
    expect(required('smtp://ann:secret@localhost:1025')).to.equal(false);
    let hasLogin = false;
    const server = await start({
      onAuth: (_, __, done) => {
        hasLogin = true;
        done(null, { user: 'ann' });
      },
      allowInsecureAuth: true,
    });
    config.smtpUrl = `${server.url.replace('//', '//ann:secret@')}?requireTLS=true`;
    const row = await queueMail('ann@example.com');
    await sendDue();
    await waits(row, /STARTTLS/);
    expect(hasLogin).to.equal(false);
  });
});
