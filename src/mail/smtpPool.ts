import { createTransport } from 'nodemailer';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { addressProblem, literalAddress } from '../kernel/publicAddress.ts';
import { specialNameProblem } from '../kernel/specialName.ts';

/** Connections at once: mail servers refuse a client that opens many. */
export const CONNECTIONS = 4;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Connections to the mail server of SMTP_URL, which are opened when they are needed; `close` ends them. */
export function smtpPool() {
  const url = new URL(config.smtpUrl ?? '');
  const timeout = config.mailTimeoutSeconds * 1000;
  const user = decodeURIComponent(url.username);
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // Nothing of the mail was handed over when the pool itself tries again: a connection that ended between two mails.
    maxRequeues: 1,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port ? { port: Number(url.port) } : {}),
    secure: url.protocol === 'smtps:',
    ...(user ? { auth: { user, pass: decodeURIComponent(url.password) } } : {}),
    requireTLS: isTlsRequired(url),
    // Said, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export type SmtpPool = ReturnType<typeof smtpPool>;

/** A password goes over an encrypted connection, also when somebody in between hides that the server offers one. */
export function isTlsRequired({ protocol, hostname, username, searchParams }: URL): boolean {
  const said = searchParams.get('requireTLS');
  if (protocol === 'smtps:') return false;
  return said === null ? username !== '' && !LOOPBACK.test(hostname) : said === 'true';
}

/** Links to a new password are in mails. Where nothing forces encryption, somebody in between can hide that it is offered. */
export function warnOfPlainMail(): void {
  const url = config.smtpUrl ? new URL(config.smtpUrl) : null;
  if (!url || url.protocol === 'smtps:' || url.searchParams.has('requireTLS')) return;
  if (isTlsRequired(url) || isNear(url.hostname)) return;
  log.warn(
    `Mails to ${url.hostname}, among them links to a new password, may travel unencrypted. Add ?requireTLS=true to ` +
      'SMTP_URL or use smtps://; ?requireTLS=false says that it is meant so.',
  );
}

/** This machine, or a network that the operator knows: a private address, or a name that only means something inside. */
function isNear(hostname: string): boolean {
  const address = literalAddress(hostname);
  const limits = { allowPrivate: false };
  return (address ? addressProblem(address, limits) : specialNameProblem(hostname, limits)) !== null;
}
