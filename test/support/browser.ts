import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { giveContextBack, signIn, takeContext } from './browserContexts.ts';
import { chromiumPath, sharedChromium } from './chromium.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type AxeRun = { type: 'tag' | 'rule'; values: string[] };
const ALL_RULES: AxeRun = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** What another theme can break: it changes nothing but colours. */
export const COLOURS: AxeRun = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Screenshots for people to look at, where this names a folder. */
const SCREENSHOTS = process.env.SCREENSHOTS;

const TIMEOUT_MS = 60_000;
/** On a machine that does much else a page takes ten times as long as alone, and a test may go through fifty of them. */
const TEST_TIMEOUT_MS = 600_000;
const STEP_TIMEOUT_MS = 60_000;

/** For how long what axe finds is looked at again, how often, and how far from where it was, in pixels. */
const SETTLE_MS = 10_000;
const LOOK_AGAIN_MS = 300;
const SCROLL_STEP = 40;

interface OpenOptions extends BrowserContextOptions {
  /** Null: nobody is signed in. */
  email?: string | null;
  /** The cookie of the session of somebody else than the owner. */
  cookie?: string;
}

/** Pages of a browser for the tests of a block. Each test fails on what no page may do: see `watch`. */
export interface Pages {
  /** A page with cookies and a storage of its own, signed in as the owner unless `email` says otherwise. */
  open(options?: OpenOptions): Promise<Page>;
  /** The page that tests of the block share, for those that only look; the first of them opens it, as does one after a failure. */
  shared(options?: OpenOptions): Promise<Page>;
  /** Statuses and failed requests that a test plans, by a part of the URL or message. */
  expectFault(part: string | RegExp): void;
}

/** Chromium for the tests of this block; without one they are skipped, or fail where CI is set. */
export function usePages(world: World): Pages {
  const opened: Page[] = [];
  let shared: Page | undefined;
  const faults: string[] = [];
  let planned: (string | RegExp)[] = [];
  const closeAll = async () => {
    await Promise.all(opened.splice(0).map((page) => giveContextBack(page.context())));
    const isPlanned = (fault: string) =>
      planned.some((part) => (typeof part === 'string' ? fault.includes(part) : part.test(fault)));
    expect(faults.filter((fault) => !isPlanned(fault))).to.deep.equal([]);
  };
  const closeShared = async () => {
    const page = shared;
    shared = undefined;
    if (page) await giveContextBack(page.context());
  };
  const open = async ({ email, cookie, viewport, colorScheme, ...options }: OpenOptions = {}) => {
    const context = await takeContext(world.origin, options);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_TIMEOUT_MS);
    watch(page, world.origin, faults);
    if (viewport) await page.setViewportSize(viewport);
    if (colorScheme) await page.emulateMedia({ colorScheme });
    if (cookie !== undefined) await takeSession(page, cookie, world.origin);
    else if (email !== null) await signIn(context, { ...world, email: email ?? world.email });
    return page;
  };
  before(async function () {
    this.timeout(TIMEOUT_MS);
    if (!chromiumPath && !process.env.CI) this.skip();
    await sharedChromium();
  });
  beforeEach(function () {
    this.timeout(TIMEOUT_MS);
    faults.length = 0;
    planned = [];
    const test = this.currentTest as Mocha.Test;
    test.timeout(TEST_TIMEOUT_MS);
    const run = test.fn as Mocha.AsyncFunc;
    // As a part of the test: a hook that fails would end all tests after it.
    test.fn = async function (this: Mocha.Context) {
      try {
        await run.call(this);
      } catch (error) {
        const told = await withWhatPagesSaid(error as Error, [...opened, ...(shared ? [shared] : [])], faults);
        await closeShared();
        throw told;
      }
      await closeAll();
    };
  });
  afterEach(() => closeAll().catch(() => {}));
  after(closeShared);
  return {
    async open(options) {
      const page = await open(options);
      opened.push(page);
      return page;
    },
    async shared(options) {
      shared ??= await open(options);
      return shared;
    },
    expectFault: (part) => planned.push(part),
  };
}

/** What a person would have read where a test fails: often a refusal that says more than what was waited for in vain. */
async function withWhatPagesSaid(error: Error, pages: readonly Page[], faults: readonly string[]): Promise<Error> {
  const said = await Promise.all(
    pages.map(async (page) => {
      const texts = await page
        .locator('[role=alert], [role=status], [role=dialog]')
        .allInnerTexts()
        .catch(() => []);
      return `${page.url()} said: ${JSON.stringify(texts.filter(Boolean))}`;
    }),
  );
  error.stack = [error.stack, ...said, ...faults].join('\n');
  return error;
}

/** Collects what no page may do: errors and warnings in the console, violations of its policy, requests that fail or leave. */
function watch(page: Page, origin: string, faults: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
      faults.push(`elsewhere: ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A navigation, or a query that nobody waits for any more, ends requests.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()}: ${response.url()}`);
  });
}

async function takeSession(page: Page, cookie: string, url: string): Promise<void> {
  const [name, value] = cookie.split(/=(.*)/s) as [string, string];
  await page.context().addCookies([{ name, value, url }]);
}

/** Goes to another page of the dashboard as its links do: what is loaded stays. For pages that are loaded elsewhere, too. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`);
  await untilTrue(page, "__TSR_ROUTER__.state.status === 'idle'");
  await isDrawn(page);
}

/**
 * Waits until an expression is true on the page. Playwright's `waitForFunction` evaluates a string within the page from the second
 * time on, which the page's policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(() => page.evaluate(`Boolean(${expression})`), `${expression} on ${page.url()}`);
}

/** The messages of what the page asks of GraphQL from now on and is refused. */
export function collectRefusals(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/graphql')) return;
    // A page that is left takes the bodies of its responses with it.
    const { errors } = await response.json().catch(() => ({}));
    if (errors) refused.push(errors[0].message);
  });
  return refused;
}

/** Waits until what the page knows has been drawn. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/**
 * What axe finds wrong with the page: each rule with the elements that break it. What it finds is looked at again, a little
 * further down or up: colours pass over into each other after a change of the theme, and a bar that stays in place covers
 * half of whatever happens to lie beneath it.
 */
export async function a11yProblems(page: Page, run: AxeRun = ALL_RULES): Promise<string[]> {
  // Half a megabyte is parsed once for each page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const end = Date.now() + SETTLE_MS;
  for (let look = 0; ; look += 1) {
    const problems = await runAxe(page, run);
    if (problems.length === 0 || Date.now() > end) return problems;
    await delay(LOOK_AGAIN_MS);
    await page.evaluate(`scrollBy(0, ${look % 2 === 0 ? SCROLL_STEP : -SCROLL_STEP})`);
  }
}

async function runAxe(page: Page, runOnly: AxeRun): Promise<string[]> {
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** Whether something is wider than the window. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');
}

/**
 * Whether every look is gone through, as when somebody looks at the pictures. Axe takes most of the time of tests in a browser,
 * so that a usual run asks it about a phone in the dark and a desk in the light, between which everything differs.
 */
export const isThorough = SCREENSHOTS !== undefined;

/** Keeps a picture for people, where SCREENSHOTS names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!SCREENSHOTS) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`) });
}

/** The widths and themes in which every page is looked at. */
const VIEWPORTS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const THEMES = ['light', 'dark'] as const;
export const WINDOWS = VIEWPORTS.flatMap((viewport) =>
  THEMES.map((colorScheme) => ({ name: `${viewport.width}-${colorScheme}`, viewport, colorScheme })),
);

/** What differs between widths and themes differs between these. */
export const UNLIKE = ['390-dark', '1440-light'];
