import { createTransport } from 'nodemailer';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { addressProblem, literalAddress, specialNameProblem } from '../kernel/publicAddress.ts';

/** Concurrent connections: mail servers reject clients that open many. */
export const CONNECTIONS = 4;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** A pool of connections to the server of SMTP_URL, opened on demand and ended by `close`. */
export function smtpPool() {
  const url = new URL(config.smtpUrl ?? '');
  const timeout = config.mailTimeoutSeconds * 1000;
  const user = decodeURIComponent(url.username);
  return createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    // The pool itself retries only when a connection ended between two mails, before any of the second was sent.
    maxRequeues: 1,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port ? { port: Number(url.port) } : {}),
    secure: url.protocol === 'smtps:',
    ...(user ? { auth: { user, pass: decodeURIComponent(url.password) } } : {}),
    requireTLS: isTlsRequired(url),
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
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

/** A password needs TLS, even when an attacker on the network strips STARTTLS from the answers of the server. */
export function isTlsRequired({ protocol, hostname, username, searchParams }: URL): boolean {
  const setting = searchParams.get('requireTLS');
  if (protocol === 'smtps:') return false;
  return setting === null ? username !== '' && !LOOPBACK.test(hostname) : setting === 'true';
}

/** Logs a warning when mails, among them password reset links, may cross a public network unencrypted. */
export function warnOfPlainMail(): void {
  const url = config.smtpUrl ? new URL(config.smtpUrl) : null;
  if (!url || url.protocol === 'smtps:' || url.searchParams.has('requireTLS')) return;
  if (isTlsRequired(url) || isPrivateHost(url.hostname)) return;
  log.warn(
    `Mails to ${url.hostname}, including password reset links, may be sent unencrypted. Add ?requireTLS=true to ` +
      'SMTP_URL or use smtps://; add ?requireTLS=false if this is intended.',
  );
}

/** Whether the host is this machine or in a private network: a private address, or a name without public DNS. */
function isPrivateHost(hostname: string): boolean {
  const address = literalAddress(hostname);
  const limits = { allowPrivate: false };
  return (address ? addressProblem(address, limits) : specialNameProblem(hostname, limits)) !== null;
}
