import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type Koa from 'koa';
import { config } from '../src/kernel/config.ts';
import { notFound } from '../src/kernel/errors.ts';
import { log } from '../src/kernel/log.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';
import { type Mounts, only } from './app.ts';

/** Where the build puts the packages of sdk/, relative to this file and to its compiled version. */
const BUILT = ['../dist/downloads', '../downloads'].map((folder) => path.resolve(import.meta.dirname, folder));

interface Download {
  file: string;
  bytes: Buffer;
  /** The integrity hash as lock files contain it. */
  integrity: string;
}

/**
 * Serves the SDK packages that customers install. Their names cannot be taken over on a public registry, and customers
 * trust this installation anyway. Lock files contain a file and its hash, so a version that was served once must not change
 * and must stay available after an upgrade: it is kept in DATA_DIR.
 */
export async function downloadsMounts(): Promise<Mounts> {
  const downloads = new Map((await openDownloads()).map((download) => [download.file.toLowerCase(), download]));
  const serve: Koa.Middleware = (ctx) => {
    const file = ctx.path.slice(OWN_PATHS.downloads.length + 1).toLowerCase();
    if (file === '') {
      ctx.body = { data: [...downloads.values()].map(described) };
      return;
    }
    const download = downloads.get(file);
    if (!download) throw notFound('download');
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Repr-Digest', `sha-512=:${download.integrity.slice('sha512-'.length)}:`);
    ctx.type = 'application/gzip';
    ctx.body = download.bytes;
  };
  return { [OWN_PATHS.downloads]: [only('GET', 'HEAD'), serve] };
}

function described({ file, bytes, integrity }: Download) {
  const [, name, version] = /^(.+)-(\d+\.\d+\.\d+.*)\.tgz$/.exec(file) ?? [];
  const url = `${config.baseUrl}${OWN_PATHS.downloads}/${file}`;
  return { name, version, url, bytes: bytes.length, integrity, install: `npm install ${url}` };
}

/** The kept and the built packages. If both have a file, the kept one is served. */
async function openDownloads(): Promise<Download[]> {
  const built = (await Promise.all(BUILT.map(readFolder))).flat();
  const folder = path.join(config.dataDir, 'downloads');
  const kept = await readFolder(folder);
  const names = new Set(kept.map(({ file }) => file));
  const added = built.filter(({ file }) => !names.has(file));
  try {
    if (added.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const { file, bytes } of added) {
      // Written to a draft and renamed; processes that start at the same time write the same content.
      const unfinished = path.join(folder, `${file}.${process.pid}`);
      await writeFile(unfinished, bytes, { mode: 0o600 });
      await rename(unfinished, path.join(folder, file));
    }
  } catch (error) {
    log.warn(
      { err: error },
      'SDK packages could not be saved in DATA_DIR; earlier versions will be missing after an upgrade',
    );
  }
  return [...kept, ...added].sort((one, other) => (one.file < other.file ? -1 : 1));
}

async function readFolder(folder: string): Promise<Download[]> {
  const files = await readdir(folder).catch(() => []);
  const packages = files.filter((file) => file.endsWith('.tgz'));
  return Promise.all(
    packages.map(async (file) => {
      const bytes = await readFile(path.join(folder, file));
      return { file, bytes, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` };
    }),
  );
}
