import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { macKey, macKeys } from '../kernel/secrets.ts';
import { isLinkPassword, MAX_PASSWORD_LENGTH } from '../links/linkPasswords.ts';
import { answer, answerPage, type Exchange } from './answer.ts';
import type { RedirectLink } from './loadLink.ts';
import { consumeAttempt, refundAttempt } from './passwordAttempts.ts';

/** Whether the visitor has entered the link's password before. */
export function hasEnteredPassword({ request }: Exchange, link: RedirectLink): boolean {
  return hasValidPass(request.headers.cookie, link);
}

/**
 * Shows the password form and checks a posted password. Returns the Set-Cookie value for a correct password, leaving the
 * response to the caller; otherwise it has responded and returns null. Never rejects.
 */
export async function askPassword(exchange: Exchange, link: RedirectLink, address: string): Promise<string | null> {
  try {
    if (exchange.request.method === 'POST') return await checkPosted(exchange, link, address);
    answerPage(exchange, 'password');
  } catch (error) {
    log.warn({ err: error }, 'a link password could not be checked');
    answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
  }
  return null;
}

async function checkPosted(exchange: Exchange, link: RedirectLink, address: string): Promise<string | null> {
  const form = await readForm(exchange.request);
  if (!(form instanceof URLSearchParams)) {
    answerFault(exchange, form);
    return null;
  }
  const given = form.get('password') ?? '';
  // A text that cannot be a password is refused without hashing, and does not count as an attempt.
  if (given === '' || [...given].length > MAX_PASSWORD_LENGTH) {
    answerPage(exchange, 'password_wrong');
    return null;
  }
  const retryAfterSeconds = await consumeAttempt(link.id, address);
  if (retryAfterSeconds !== null) {
    answerPage(exchange, 'password_throttled', { retryAfterSeconds }, ['Retry-After', String(retryAfterSeconds)]);
    return null;
  }
  const isRight = await isLinkPassword(link.teamId, link.passwordHash as string, given);
  if (isRight === false) {
    answerPage(exchange, 'password_wrong');
    return null;
  }
  await refundAttempt(link.id, address);
  if (isRight) return passCookie(link);
  answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
  return null;
}

const FAULTS = { too_large: 413, too_slow: 408 } as const;

function answerFault(exchange: Exchange, fault: FormProblem): void {
  if (fault !== 'gone') answer(exchange, FAULTS[fault], ['Connection', 'close', 'Content-Length', '0']);
}

/** A password of 200 characters takes 2,400 bytes when each is percent-encoded in full. */
const MAX_BYTES = 4096;
/** Browsers send a form at once; a slower client occupies only its connection. */
const PATIENCE_MS = 10_000;

/** Why a form could not be read; `gone`: the client has disconnected. */
type FormProblem = 'too_large' | 'too_slow' | 'gone';

/** Reads a urlencoded form. Keeps at most `MAX_BYTES` in memory; reads the rest of a larger body and discards it. */
export function readForm(request: IncomingMessage, patienceMs = PATIENCE_MS): Promise<URLSearchParams | FormProblem> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (result: URLSearchParams | FormProblem) => {
      clearTimeout(timer);
      resolve(result);
    };
    const isTooLarge = () => bytes > MAX_BYTES;
    const timer = setTimeout(() => finish(isTooLarge() ? 'too_large' : 'too_slow'), patienceMs);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (isTooLarge()) chunks.length = 0;
      else chunks.push(chunk);
    });
    request.on('end', () =>
      finish(isTooLarge() ? 'too_large' : new URLSearchParams(Buffer.concat(chunks).toString('utf8'))),
    );
    request.on('error', () => finish('gone'));
    request.on('close', () => finish('gone'));
  });
}

const PURPOSE = 'passed passwords of links';

/**
 * The cookie of a visitor who has entered the password: `<expiry in seconds, base 36>.<MAC>`. It is valid for this link
 * and password only, so changing the password locks everyone out again. Browsers send it to the link's path and below.
 */
function passCookie(link: RedirectLink): string {
  const endsAt = Math.floor(clock.now() / 1000) + config.passwordSessionSeconds;
  const value = `${endsAt.toString(36)}.${macOf(macKey(PURPOSE), link, endsAt).toString('base64url')}`;
  // Link domains use the scheme of BASE_URL.
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : '';
  const attributes = `Path=/${link.slug}; Max-Age=${config.passwordSessionSeconds}; HttpOnly; SameSite=Lax${secure}`;
  return `${cookieName(link)}=${value}; ${attributes}`;
}

/** Whether a Cookie header contains a pass for the link that has not expired. */
function hasValidPass(cookies: string | undefined, link: RedirectLink): boolean {
  if (!cookies) return false;
  const prefix = `${cookieName(link)}=`;
  return cookies.split(/; */).some((cookie) => cookie.startsWith(prefix) && isGood(cookie.slice(prefix.length), link));
}

/** Contains the link's id, because the cookie is also sent to links whose slug continues this link's path. */
function cookieName(link: RedirectLink): string {
  return `svc_${link.id}`;
}

function isGood(value: string, link: RedirectLink): boolean {
  const [end = '', given = ''] = value.split('.');
  const endsAt = Number.parseInt(end, 36);
  if (!(clock.now() < endsAt * 1000)) return false;
  const mac = Buffer.from(given, 'base64url');
  return macKeys(PURPOSE).some((key) => {
    const expected = macOf(key, link, endsAt);
    return mac.length === expected.length && timingSafeEqual(mac, expected);
  });
}

function macOf(key: KeyObject, { id, passwordHash }: RedirectLink, endsAt: number): Buffer {
  return createHmac('sha256', key).update(`${id} ${endsAt} ${passwordHash}`).digest();
}
