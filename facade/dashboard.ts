import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type Koa from 'koa';
import { notFound } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';
import { type Mounts, only } from './app.ts';

/** Where the build puts the dashboard, relative to this file and to its compiled version. */
const BUILT = ['../dist/dashboard', '../dashboard'].map((folder) => path.resolve(import.meta.dirname, folder));

const ASSETS = `${OWN_PATHS.dashboard}/assets`;
const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Encodings in order of preference, with the ending of the file that the build compressed. */
const ENCODINGS = { br: '.br', gzip: '.gz', identity: '' } as const;
type Encoding = keyof typeof ENCODINGS;

const PLACEHOLDER = '{{nonce}}';
const NONCE_BYTES = 16;

/** Mantine writes `<style>` elements, which the nonce allows; inline scripts and style attributes are not allowed at all. */
const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

interface Asset {
  type: string;
  bytes: Partial<Record<Encoding, Buffer>>;
}

/**
 * Serves the dashboard from memory: its assets, whose names contain a hash of their content, and its page at every other path
 * below /app, because the page decides what an address shows. Nothing is mounted where the dashboard is not built.
 */
export async function dashboardMounts(folders: readonly string[] = BUILT): Promise<Mounts> {
  const page = await readBuilt(folders, 'index.html');
  if (!page) {
    log.warn('the dashboard is not built (npm run build), so there is nothing at /app');
    return {};
  }
  const assets = await readAssets(folders);
  const serve: Koa.Middleware = (ctx) => {
    if (ctx.path.startsWith(`${ASSETS}/`)) answerAsset(ctx, assets.get(ctx.path.slice(ASSETS.length + 1)));
    else answerPage(ctx, page.toString());
  };
  return { [OWN_PATHS.dashboard]: [only('GET', 'HEAD'), serve] };
}

function answerPage(ctx: Koa.Context, page: string): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  ctx.set('Content-Security-Policy', policyOf(nonce));
  ctx.set('Referrer-Policy', 'same-origin');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Permissions-Policy', 'camera=(), microphone=(), geolocation=()');
  ctx.type = 'html';
  ctx.body = page.replace(PLACEHOLDER, nonce);
}

/** An unknown asset is 404 and never the page: a tab from before an update must notice that its code is gone. */
function answerAsset(ctx: Koa.Context, asset: Asset | undefined): void {
  if (!asset) throw notFound('asset');
  ctx.vary('Accept-Encoding');
  const known = (Object.keys(ENCODINGS) as Encoding[]).filter((encoding) => encoding in asset.bytes);
  // Our preference and not the browser's: all of them name gzip first.
  const encoding = known.find((encoding) => ctx.acceptsEncodings(encoding)) ?? 'identity';
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.set('Content-Type', asset.type);
  ctx.body = asset.bytes[encoding];
}

async function readAssets(folders: readonly string[]): Promise<Map<string, Asset>> {
  const names = (
    await Promise.all(folders.map((folder) => readdir(path.join(folder, 'assets')).catch(() => [])))
  ).flat();
  const originals = [...new Set(names)].filter((name) => path.extname(name) in TYPES);
  const entries = originals.map(async (name): Promise<[string, Asset]> => {
    const bytes: Asset['bytes'] = {};
    for (const [encoding, ending] of Object.entries(ENCODINGS) as [Encoding, string][]) {
      const found = await readBuilt(folders, `assets/${name}${ending}`);
      if (found) bytes[encoding] = found;
    }
    return [name, { type: TYPES[path.extname(name)] as string, bytes }];
  });
  return new Map(await Promise.all(entries));
}

async function readBuilt(folders: readonly string[], name: string): Promise<Buffer | null> {
  for (const folder of folders) {
    const bytes = await readFile(path.join(folder, name)).catch(() => null);
    if (bytes) return bytes;
  }
  return null;
}
