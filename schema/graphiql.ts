import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type Koa from 'koa';
import { OWN_PATHS } from '../src/kernel/origins.ts';

/** Where scripts/buildGraphiql.mjs puts the bundle, relative to this file and to its compiled version. */
const BUILT = ['../dist/graphiql', '../graphiql'].map((folder) => path.resolve(import.meta.dirname, folder));

const FILES = { 'graphiql.js': 'text/javascript', 'graphiql.css': 'text/css' };

/**
 * The page may load its own two files and ask this origin, and nothing else. Styles are set on elements by the editor, and
 * its fonts and icons are data URLs of the style sheet.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'font-src data:',
  "img-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Middleware that answers browsers of signed-in people with GraphiQL, and leaves every other request to the next one.
 * Throws when it was not built.
 */
export async function graphiqlPage(): Promise<Koa.Middleware> {
  const files = new Map<string, { type: string; bytes: Buffer }>();
  for (const [name, type] of Object.entries(FILES)) {
    files.set(`${OWN_PATHS.graphql}/${name}`, { type, bytes: await readBuilt(name) });
  }
  return (ctx, next) => {
    if (!['GET', 'HEAD'].includes(ctx.method) || ctx.state.principal.kind !== 'session') return next();
    const file = files.get(ctx.path);
    if (!file && !isPage(ctx)) return next();
    ctx.set('Content-Security-Policy', POLICY);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.type = file?.type ?? 'html';
    ctx.body = file?.bytes ?? PAGE;
  };
}

function isPage(ctx: Koa.Context): boolean {
  if (ctx.path !== OWN_PATHS.graphql) return false;
  ctx.vary('Accept');
  return ctx.accepts('json', 'html') === 'html';
}

async function readBuilt(name: string): Promise<Buffer> {
  for (const folder of BUILT) {
    const bytes = await readFile(path.join(folder, name)).catch(() => null);
    if (bytes) return bytes;
  }
  throw new Error('GRAPHIQL is on, but GraphiQL is not built: run npm run build.');
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>GraphiQL</title>
<link rel="stylesheet" href="${OWN_PATHS.graphql}/graphiql.css">
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
<div id="graphiql"></div>
<script type="module" src="${OWN_PATHS.graphql}/graphiql.js"></script>
</html>
`;
