import { bundleAlerts } from './bundleAlerts.ts';
import { claimMail, hasDueMails, recordHandOver } from './claimMail.ts';
import { handOver } from './handOver.ts';
import { isMailConfigured } from './mailQueue.ts';
import { CONNECTIONS, type SmtpPool, smtpPool } from './smtpPool.ts';

/** Time for mails that are being sent when the process stops. */
const GRACE_MS = 5000;

/** Whether a mail server is configured and a mail or digest is due. */
export async function isMailDue(): Promise<boolean> {
  return isMailConfigured() && hasDueMails();
}

/**
 * Sends the mails that are due. The first is sent alone: if the server is down, only that one uses up an attempt. Returns
 * soon after `signal` aborts.
 */
export async function sendMails(signal: AbortSignal): Promise<void> {
  if (!isMailConfigured()) return;
  await bundleAlerts();
  const grace = graceAfter(signal);
  const pool = smtpPool();
  try {
    if (!(await sendNext(pool, grace.signal))) return;
    await sendRest(pool, signal, grace.signal);
  } finally {
    grace.end();
    pool.close();
  }
}

async function sendRest(pool: SmtpPool, stopping: AbortSignal, signal: AbortSignal): Promise<void> {
  let goesOn = true;
  const connection = async () => {
    try {
      while (goesOn && !stopping.aborted && (await sendNext(pool, signal)));
    } finally {
      // Nothing more is due, or the mail server or the store is down: the other connections end too.
      goesOn = false;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONNECTIONS }, connection));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Returns false if nothing is due or the server is down. */
async function sendNext(pool: SmtpPool, signal: AbortSignal): Promise<boolean> {
  const mail = await claimMail();
  if (!mail) return false;
  const { isServerAway, ...result } = await handOver(pool, mail, signal);
  await recordHandOver(mail, result);
  return !isServerAway;
}

function graceAfter(stopping: AbortSignal): { signal: AbortSignal; end(): void } {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => over.abort(), GRACE_MS);
  };
  stopping.addEventListener('abort', begin, { once: true });
  return {
    signal: over.signal,
    end() {
      stopping.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
