import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { until } from './until.ts';

export interface ReceivedMail {
  to: string[];
  from: string;
  raw: string;
  mail: Email;
  isEncrypted: boolean;
  user: string | undefined;
}

export interface MailServer {
  port: number;
  url: string;
  received: ReceivedMail[];
  to(address: string): ReceivedMail[];
  /** Waits until so many mails have come to that address. */
  waitFor(address: string, count?: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

/** A refusal as SMTP says it. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** When the server has read a mail: throws to refuse it. */
type OnMail = (received: ReceivedMail) => unknown;

/** A mail server on loopback that takes every mail, unless told otherwise. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  { onMail = () => {}, port = 0 }: { onMail?: OnMail; port?: number } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.cert ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
    onData(stream, session, done) {
      readMail(stream, session)
        .then(async (mail) => {
          received.push(mail);
          await onMail(mail);
        })
        .then(() => done(), done);
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  const to = (address: string) => received.filter((mail) => mail.to.includes(address));
  const actual = (server.server.address() as AddressInfo).port;
  return {
    port: actual,
    url: `smtp://127.0.0.1:${actual}`,
    received,
    to,
    waitFor: (address, count = 1) =>
      until(() => (to(address).length >= count ? to(address) : null), `${count} mails to ${address}`),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function readMail(stream: AsyncIterable<Buffer>, session: SMTPServerSession): Promise<ReceivedMail> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    to: rcptTo.map(({ address }) => address),
    from: mailFrom ? mailFrom.address : '',
    raw: Buffer.concat(chunks).toString(),
    mail: await PostalMime.parse(Buffer.concat(chunks)),
    isEncrypted: session.secure,
    user: session.user as string | undefined,
  };
}
