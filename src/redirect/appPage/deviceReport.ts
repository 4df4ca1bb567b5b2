import type { IncomingMessage } from 'node:http';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import { selectPrepared } from '../../db/selectBound.ts';
import { clock } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/durations.ts';
import { log } from '../../kernel/log.ts';
import { OWN_PATHS } from '../../kernel/ownPaths.ts';
import { type ClickToken, clickedAtOf } from '../../matching/clickToken.ts';
import { readClickToken } from '../../matching/installationTokens.ts';
import { parseParameters } from '../../routing/queryString.ts';
import { type Asked, answer } from '../answer.ts';
import { type ReportedDevice, reportedDevice } from './reportedDevice.ts';

/** Where the page tells of its device; the query's `t` is the token of the click that led to the page. */
export const REPORT_PATH = `${OWN_PATHS.openApp}/device`;

/** A report has some 90 bytes. */
const MAX_BYTES = 2048;
/** It is sent at once; whoever takes longer holds a connection and nothing else. */
const PATIENCE_MS = 10_000;

const COLUMNS = { click_id: 'text', project_id: 'text', timezone: 'text', screen: 'json', created_at: 'time' } as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Always 204 for a POST: beacons read no answer, and nobody learns what was made of one. */
export function takeDeviceReport(asked: Asked, query: string): void {
  if (asked.request.method !== 'POST') {
    answer(asked, 405, ['Allow', 'POST', 'Content-Length', '0']);
    return;
  }
  takeReport(asked.request, query)
    .catch((error) => log.warn({ err: error }, 'what a page told of its device could not be kept'))
    .then(() => answer(asked, 204, []));
}

async function takeReport(request: IncomingMessage, query: string): Promise<void> {
  const device = reportedDevice(await readReport(request));
  const claims = readClickToken(parseParameters(query).get('t')?.[0] ?? '', clock.now());
  if (device && claims.ok && isRecent(claims)) await keepDevice(claims, device);
}

/** Empty: too long, too slow or cut off. What is too long is read to its end, so that it is answered. */
async function readReport(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => request.destroy(), PATIENCE_MS);
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
    }
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
  return bytes <= MAX_BYTES ? Buffer.concat(chunks).toString() : '';
}

/** Older clicks match no install. */
function isRecent(claims: ClickToken): boolean {
  return clock.now() - clickedAtOf(claims) < DAY_MS;
}

/** The first report of a click stands. */
async function keepDevice({ clickId, projectId }: ClickToken, { timezone, screen }: ReportedDevice): Promise<void> {
  // Repeated reports must not queue up for the one writer of the embedded store.
  const known = await selectPrepared('SELECT 1 AS one FROM click_devices WHERE click_id = $1', [clickId]);
  if (known.length > 0) return;
  const row = [clickId, projectId, timezone, screen, sqlTime(clock.now())];
  const insert = `INSERT INTO click_devices (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT DO NOTHING`;
  await inTransaction((transaction) => withJsonRows(COLUMNS, [row], insert, transaction));
}
