import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { atEnd } from './atEnd.ts';

/** Where Debian and its kin put them: without a window it takes half of the processor time. CHROMIUM names another one. */
const KNOWN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Null where there is none. */
export const chromiumPath: string | null = process.env.CHROMIUM ?? KNOWN.find((path) => existsSync(path)) ?? null;

/** Without these Chromium asks hosts of its maker all the time. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What saves processor time in tests: see docs/decisions/0120. */
const FRUGAL = [
  // Drawing by the emulation of a graphics card costs twice as much as drawing without one.
  '--disable-software-rasterizer',
  // All pages of a product in a context share a process, and what it has compiled.
  '--process-per-site',
  // No page of a test lives long enough to win back what optimizing compilers take.
  '--js-flags=--no-turbofan --no-maglev',
];

/** Throws where there is none. */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  if (!chromiumPath) throw new Error(`There is no Chromium: install ${KNOWN.join(' or ')}, or set CHROMIUM.`);
  return chromium.launch({ executablePath: chromiumPath, args: [...ARGUMENTS, ...more] });
}

let running: Promise<Browser> | null = null;

/** The Chromium of this process: the first test that needs one starts it, and all files share it. */
export async function sharedChromium(): Promise<Browser> {
  const browser = await running?.catch(() => null);
  if (browser?.isConnected()) return browser;
  running = launchChromium(FRUGAL);
  return running;
}

atEnd(async () => {
  const browser = await running?.catch(() => null);
  running = null;
  await browser?.close();
});
