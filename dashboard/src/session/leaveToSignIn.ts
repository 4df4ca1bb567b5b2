import type { AnyRouter } from '@tanstack/react-router';
import { endSession } from './session.ts';

const BASE = '/app';

/** Pages for people who are not signed in. */
const ENTRANCE =
  /^\/app\/(sign-in|sign-up|forgot-password|reset-password|invitation|confirm-email|change-email|undo-email-change|undo-second-factor)\b/;

/**
 * Goes to the sign-in page, from which the way leads back here.
 *
 * @param options.isEnded the session has ended by itself, which the page says: nobody has asked to leave
 */
export async function leaveToSignIn(router: AnyRouter, { isEnded }: { isEnded: boolean }): Promise<void> {
  const isEntrance = ENTRANCE.test(location.pathname);
  const to = location.pathname.slice(BASE.length) + location.search;
  endSession();
  if (isEntrance) return;
  await router.navigate({
    to: '/sign-in',
    search: { to: to || '/', ...(isEnded ? { ended: 'true' } : {}) },
    ignoreBlocker: true,
  });
}

/** Where the way back leads: a path of the dashboard and nothing else, also by way of `..` or of a second slash. */
export function safeReturn(to: string | undefined): string {
  if (!to || !/^\/(?![/\\])/.test(to)) return '/';
  const { origin, pathname, search, hash } = new URL(BASE + to, location.origin);
  if (origin !== location.origin || !pathname.startsWith(`${BASE}/`)) return '/';
  return pathname.slice(BASE.length) + search + hash;
}
