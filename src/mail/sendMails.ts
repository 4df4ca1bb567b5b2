import { bundleAlerts } from './bundleAlerts.ts';
import { claimMail } from './claimMail.ts';
import { handOver } from './handOver.ts';
import { isMailSet } from './queueMails.ts';
import { settleMail } from './settleMail.ts';
import { CONNECTIONS, type SmtpPool, smtpPool } from './smtpPool.ts';

/** For what is in hand when the process stops. */
const GRACE_MS = 5000;

/**
 * Hands over the mails that are due. One goes first: of a server that is away only that one has to wait for the next
 * attempt. Ends soon after `signal` says that the process stops.
 */
export async function sendMails(signal: AbortSignal): Promise<void> {
  if (!isMailSet()) return;
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
  const lane = async () => {
    try {
      while (goesOn && !stopping.aborted && (await sendNext(pool, signal)));
    } finally {
      // Nothing more is due, the server is away or the store is: all the same to the other lanes.
      goesOn = false;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: CONNECTIONS }, lane));
  for (const lane of ended) if (lane.status === 'rejected') throw lane.reason;
}

/** False when nothing is due or the server is away. */
async function sendNext(pool: SmtpPool, signal: AbortSignal): Promise<boolean> {
  const mail = await claimMail();
  if (!mail) return false;
  const { isServerAway, ...result } = await handOver(pool, mail, signal);
  await settleMail(mail, result);
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
