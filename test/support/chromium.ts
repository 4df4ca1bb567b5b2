import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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

/** Throws where there is none. */
export async function launchChromium(): Promise<Browser> {
  if (!chromiumPath) throw new Error(`There is no Chromium: install ${KNOWN.join(' or ')}, or set CHROMIUM.`);
  return chromium.launch({ executablePath: chromiumPath, args: ARGUMENTS });
}
