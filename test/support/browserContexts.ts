import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { sharedChromium } from './chromium.ts';

/*
 * A page in a new context compiles all of its code again, which costs as much as everything else that it does. So contexts are
 * used again by the next test, with what they have loaded and compiled, but without what a test leaves in them: pages, cookies,
 * what is stored, routes.
 */

/** What a context is, where a test does not say otherwise. Other windows and colours are set on the page. */
const USUAL: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  timezoneId: 'Europe/Berlin',
  locale: 'en-US',
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
};

/** Without scripts: it is there so that the process of a product's pages, and what it has compiled, outlives them. */
const PARKED_AT = '/robots.txt';

interface Account {
  origin: string;
  email: string;
  password: string;
}

interface Reusable {
  context: BrowserContext;
  parked: Page;
  storage: CDPSession;
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Contexts that no test uses, all of one product: another product has another origin, for which nothing is loaded yet. */
let idle: Reusable[] = [];
let idleOrigin = '';

/** Contexts in use that may be used again. */
const reusable = new Map<BrowserContext, Reusable>();

/** Cookies of open sessions by who signed in where: checking a password is slow on purpose. */
const sessions = new Map<string, Cookies>();
/** Which of them a context uses. */
const signedIn = new WeakMap<BrowserContext, string>();

/** A context in which nobody is signed in and nothing is stored. One with options of its own is not used again. */
export async function takeContext(origin: string, options: BrowserContextOptions): Promise<BrowserContext> {
  if (Object.keys(options).length > 0) return newContext(origin, options);
  await closeContextsOfOthers(origin);
  const taken = idle.pop();
  if (!taken?.context.browser()?.isConnected()) return newReusable(origin);
  // Here and not when the context was given back: its pages may have stored something while they were closed.
  await taken.storage.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  reusable.set(taken.context, taken);
  return taken.context;
}

/** Closes the pages of a context, and keeps it for the next test where it is like all others. */
export async function giveContextBack(context: BrowserContext): Promise<void> {
  await forgetEndedSession(context);
  const taken = reusable.get(context);
  reusable.delete(context);
  if (!taken) return context.close();
  const pages = context.pages().filter((page) => page !== taken.parked);
  await Promise.all(pages.map((page) => page.close()));
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearCookies();
  idle.push(taken);
}

/** Signs in without the page, which has tests of its own. */
export async function signIn(context: BrowserContext, { origin, email, password }: Account): Promise<void> {
  const who = `${origin} ${email}`;
  const known = sessions.get(who);
  if (known) await context.addCookies(known);
  else {
    const query = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
    const data = { query, variables: { input: { email, password } } };
    const { errors } = await (await context.request.post(`${origin}/graphql`, { data })).json();
    if (errors) throw new Error(errors[0].message);
    sessions.set(who, await context.cookies());
  }
  signedIn.set(context, who);
}

async function newReusable(origin: string): Promise<BrowserContext> {
  const context = await newContext(origin, {});
  const parked = await context.newPage();
  await parked.goto(PARKED_AT);
  reusable.set(context, { context, parked, storage: await context.newCDPSession(parked) });
  return context;
}

async function newContext(origin: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return (await sharedChromium()).newContext({ ...USUAL, baseURL: origin, ...options });
}

async function closeContextsOfOthers(origin: string): Promise<void> {
  if (origin === idleOrigin) return;
  const others = idle;
  idle = [];
  idleOrigin = origin;
  sessions.clear();
  await Promise.all(others.map(({ context }) => context.close()));
}

/** A test that signs out, or loses its cookie, ends the session for those after it. */
async function forgetEndedSession(context: BrowserContext): Promise<void> {
  const who = signedIn.get(context);
  if (who === undefined) return;
  signedIn.delete(context);
  const valuesOf = (cookies: Cookies) => cookies.map(({ value }) => value);
  const left = valuesOf(await context.cookies());
  if (!isDeepStrictEqual(left, valuesOf(sessions.get(who) ?? []))) sessions.delete(who);
}
