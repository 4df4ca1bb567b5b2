import { log } from '../kernel/log.ts';
import { isLinkPassword, MAX_PASSWORD_LENGTH } from '../services/links/linkPasswords.ts';
import { answer, answerPage } from './answer.ts';
import type { Exchange } from './Exchange.ts';
import type { RedirectLink } from './loadLink.ts';
import { giveBackAttempt, takeAttempt } from './password/attempts.ts';
import { holdsPass, passCookie } from './password/cookie.ts';
import { type FormFault, readForm } from './password/readForm.ts';

/** Whether the visitor has given the link's password before. */
export function hasPassed({ request }: Exchange, link: RedirectLink): boolean {
  return holdsPass(request.headers.cookie, link);
}

/**
 * Answers with a form, or to a wrong password; gives the cookie that remembers a right one, which is not answered. Never
 * rejects.
 */
export async function askPassword(exchange: Exchange, link: RedirectLink, address: string): Promise<string | null> {
  try {
    if (exchange.request.method === 'POST') return await readAnswer(exchange, link, address);
    answerPage(exchange, 'password');
  } catch (error) {
    log.warn({ err: error }, 'a password could not be looked at');
    answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
  }
  return null;
}

async function readAnswer(exchange: Exchange, link: RedirectLink, address: string): Promise<string | null> {
  const form = await readForm(exchange.request);
  if (!(form instanceof URLSearchParams)) {
    answerFault(exchange, form);
    return null;
  }
  const given = form.get('password') ?? '';
  // What no password can be costs nothing to refuse, and is no guess.
  if (given === '' || [...given].length > MAX_PASSWORD_LENGTH) {
    answerPage(exchange, 'password_wrong');
    return null;
  }
  const retryAfterSeconds = await takeAttempt(link.id, address);
  if (retryAfterSeconds !== null) {
    answerPage(exchange, 'password_throttled', { retryAfterSeconds }, ['Retry-After', String(retryAfterSeconds)]);
    return null;
  }
  const isRight = await isLinkPassword(link.passwordHash as string, given);
  if (isRight === false) {
    answerPage(exchange, 'password_wrong');
    return null;
  }
  await giveBackAttempt(link.id, address);
  if (isRight) return passCookie(link);
  answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
  return null;
}

const FAULTS = { too_large: 413, too_slow: 408 } as const;

function answerFault(exchange: Exchange, fault: FormFault): void {
  if (fault !== 'gone') answer(exchange, FAULTS[fault], ['Connection', 'close', 'Content-Length', '0']);
}
