import { clock } from '../../src/kernel/clock.ts';
import { AGENTS } from './agents.ts';
import { createLink } from './createLink.ts';
import { type RawAsk, type RawReply, rawRequest } from './rawRequest.ts';
import { startWorld, type World } from './world.ts';

const GO = 'go.example.com';
export const DESTINATION = 'https://www.example.com/secret';
export const PASSWORD = 'correct horse & staple +ü';
/** Wrong passwords for one link from one address until it is told to wait. */
export const ATTEMPTS = 3;
export const PAUSE_SECONDS = 60;
/** A right password is remembered for so long. */
export const SESSION_SECONDS = 3600;

/** For the tests of a describe: a world with links that ask for a password, and visitors who know or guess it. */
export function useProtectedLinks() {
  let world: World;
  let addresses = 0;

  before(async () => {
    world = await startWorld({
      LINK_DOMAIN: GO,
      TRUSTED_PROXIES: '127.0.0.1',
      SCANNER_BURST_LINKS: '0',
      PASSWORD_ATTEMPTS: String(ATTEMPTS),
      PASSWORD_ATTEMPTS_FROM_ALL: String(10 * ATTEMPTS),
      PASSWORD_PAUSE_SECONDS: String(PAUSE_SECONDS),
      PASSWORD_SESSION_SECONDS: String(SESSION_SECONDS),
    });
  });
  after(() => world.stop());
  afterEach(() => clock.reset());

  const freshAddress = () => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };

  /** From an address of its own each time, but for what is said otherwise. */
  const ask = (path: string, { headers, ...more }: RawAsk = {}) =>
    rawRequest(world.origin, path, {
      host: GO,
      headers: { 'User-Agent': AGENTS.human, 'X-Forwarded-For': freshAddress(), ...headers },
      ...more,
    });

  /** Sends the form. */
  const guess = (path: string, password: string, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: new URLSearchParams({ password }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });

  return {
    world: () => world,
    freshAddress,
    ask,
    guess,
    /** Makes a link to DESTINATION that asks for PASSWORD, but for what is said otherwise. */
    create: (body: object = {}) => createLink(world.api, { destination: DESTINATION, password: PASSWORD, ...body }),
    /** The cookie of who knows the password. */
    passFor: async (slug: string) => cookieOf(await guess(`/${slug}`, PASSWORD)),
  };
}

/** What a browser sends back of a Set-Cookie header. */
export function cookieOf({ headers }: RawReply): string {
  return headers['set-cookie']?.split(';')[0] ?? '';
}
