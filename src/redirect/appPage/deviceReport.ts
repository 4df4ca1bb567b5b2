import type { IncomingMessage } from 'node:http';
import { type ClickToken, clickedAtOf, readClickToken } from '../../attribution/clickTokens.ts';
import { type ReportedDevice, storeClickDevice } from '../../clicks/clickDeviceStore.ts';
import { clock, DAY_MS, isTimeZone } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { OWN_PATHS } from '../../kernel/origins.ts';
import { parseParameters } from '../../routing/urlEncoding.ts';
import { answer, type HttpExchange } from '../answer.ts';

/** Where the page reports its device; the query's `t` is the token of the click that led to the page. */
export const REPORT_PATH = `${OWN_PATHS.openApp}/device`;

/** A report has about 90 bytes. */
const MAX_BYTES = 2048;
/** Browsers send a report at once; a slower client occupies only its connection. */
const PATIENCE_MS = 10_000;

/** Always answers a POST with 204: beacons ignore the response, and it must not reveal whether a report was valid. */
export function receiveDeviceReport(exchange: HttpExchange, query: string): void {
  if (exchange.request.method !== 'POST') {
    answer(exchange, 405, ['Allow', 'POST', 'Content-Length', '0']);
    return;
  }
  storeReport(exchange.request, query)
    .catch((error) => log.warn({ err: error }, 'a device report could not be stored'))
    .then(() => answer(exchange, 204, []));
}

async function storeReport(request: IncomingMessage, query: string): Promise<void> {
  const device = reportedDevice(await readReport(request));
  const claims = readClickToken(parseParameters(query).get('t')?.[0] ?? '', clock.now());
  if (device && claims.ok && isRecent(claims)) await storeClickDevice(claims, device);
}

/** Empty if the body is too long, too slow or cut off. Reads a long body to its end, so that the client gets a response. */
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

/** Older clicks do not match installs. */
function isRecent(claims: ClickToken): boolean {
  return clock.now() - clickedAtOf(claims) < DAY_MS;
}

/** The longest zone names have about 30 characters. */
const MAX_ZONE_LENGTH = 64;
/** CSS pixels, far more than any display has. */
const MAX_SIDE = 100_000;
/** Phones have up to 4. */
const MAX_SCALE = 10;

/** Parses a report: JSON with exactly these fields. Null if it is not one; never throws. */
function reportedDevice(json: string): ReportedDevice | null {
  const { timezone, screen } = fieldsOf(parse(json), ['timezone', 'screen']) ?? {};
  const { width, height, scale } = fieldsOf(screen, ['width', 'height', 'scale']) ?? {};
  if (!isZone(timezone) || !isUpTo(MAX_SIDE, width) || !isUpTo(MAX_SIDE, height) || !isUpTo(MAX_SCALE, scale))
    return null;
  return { timezone, screen: { width, height, scale } };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The value as an object if it has exactly these fields, else null. */
function fieldsOf(value: unknown, names: readonly string[]): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== names.length) return null;
  return names.every((name) => Object.hasOwn(value, name)) ? (value as Record<string, unknown>) : null;
}

function isUpTo(most: number, value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= most;
}

function isZone(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ZONE_LENGTH && isTimeZone(value);
}
