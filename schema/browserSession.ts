import type { IncomingHttpHeaders } from 'node:http';
import type { Context as KoaContext } from 'koa';
import { DAY_MS } from '../src/kernel/clock.ts';
import { config } from '../src/kernel/config.ts';
import { CodedError } from '../src/kernel/errors.ts';

const isSecure = () => config.baseUrl.startsWith('https:');
/** Browsers take a `__Host-` cookie only over https, for this very host and the whole of it. */
const fullName = (name: string) => (isSecure() ? `__Host-${name}` : name);

/** The session token that the browser sent. */
export function readSessionCookie(ctx: KoaContext): string | undefined {
  return ctx.cookies.get(fullName('session'));
}

/** Sets the session cookie; null clears it. */
export function writeSessionCookie(ctx: KoaContext, token: string | null): void {
  write(ctx, 'session', token, token === null ? 0 : config.sessionSeconds * 1000);
}

/** The cookie by which accounts recognize the browser. It outlives sessions. */
export function readKnownBrowsers(ctx: KoaContext): string | undefined {
  return ctx.cookies.get(fullName('known'));
}

export function writeKnownBrowsers(ctx: KoaContext, value: string): void {
  write(ctx, 'known', value, config.knownBrowserDays * DAY_MS);
}

function write(ctx: KoaContext, name: string, value: string | null, maxAge: number): void {
  // Behind a proxy that terminates TLS the connection is plain; BASE_URL has the scheme that the browser uses.
  ctx.cookies.secure = isSecure();
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure(), path: '/', overwrite: true, maxAge } as const;
  ctx.cookies.set(fullName(name), value, options);
}

/** Values of Sec-Fetch-Site for our own pages and for direct navigation; clients other than browsers send none. */
const OWN = new Set([undefined, 'same-origin', 'none']);

/**
 * Refuses requests that another site makes a browser send. The session cookie is SameSite=Lax, so subdomains of our own
 * site can send it, and those serve links of customers.
 */
export function refuseOtherSites(headers: IncomingHttpHeaders): void {
  if (OWN.has(headers['sec-fetch-site'] as string | undefined)) return;
  throw new CodedError(
    'invalid_request',
    'Only pages of the dashboard may send this request; it came from another site.',
  );
}
