import type { Context as KoaContext } from 'koa';
import { config } from '../src/kernel/config.ts';

const isSecure = () => config.baseUrl.startsWith('https:');
/** Browsers take a `__Host-` cookie only over https, for this very host and the whole of it. */
const cookieName = () => (isSecure() ? '__Host-session' : 'session');

/** The session token that the browser sent. */
export function readSessionCookie(ctx: KoaContext): string | undefined {
  return ctx.cookies.get(cookieName());
}

/** Hands the browser its session token; null takes it back. */
export function writeSessionCookie(ctx: KoaContext, token: string | null): void {
  // Behind a proxy that ends TLS the connection itself looks plain; BASE_URL says what the browser sees.
  ctx.cookies.secure = isSecure();
  ctx.cookies.set(cookieName(), token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    overwrite: true,
    maxAge: token === null ? 0 : config.sessionSeconds * 1000,
  });
}
