import type { Context as KoaContext } from 'koa';
import { config } from '../src/kernel/config.ts';
import { DAY_MS } from '../src/kernel/durations.ts';

const isSecure = () => config.baseUrl.startsWith('https:');
/** Browsers take a `__Host-` cookie only over https, for this very host and the whole of it. */
const fullName = (name: string) => (isSecure() ? `__Host-${name}` : name);

/** The session token that the browser sent. */
export function readSessionCookie(ctx: KoaContext): string | undefined {
  return ctx.cookies.get(fullName('session'));
}

/** Hands the browser its session token; null takes it back. */
export function writeSessionCookie(ctx: KoaContext, token: string | null): void {
  write(ctx, 'session', token, token === null ? 0 : config.sessionSeconds * 1000);
}

/** By which accounts know the browser; it outlives sessions. */
export function readKnownBrowsers(ctx: KoaContext): string | undefined {
  return ctx.cookies.get(fullName('known'));
}

export function writeKnownBrowsers(ctx: KoaContext, value: string): void {
  write(ctx, 'known', value, config.knownBrowserDays * DAY_MS);
}

function write(ctx: KoaContext, name: string, value: string | null, maxAge: number): void {
  // Behind a proxy that ends TLS the connection itself looks plain; BASE_URL says what the browser sees.
  ctx.cookies.secure = isSecure();
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure(), path: '/', overwrite: true, maxAge } as const;
  ctx.cookies.set(fullName(name), value, options);
}
