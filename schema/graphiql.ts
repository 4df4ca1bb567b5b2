import { createHash } from 'node:crypto';
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
const policy = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self'",
    'font-src data:',
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/**
 * Middleware that answers browsers of signed-in people with GraphiQL and other browsers with a form to sign in, and leaves
 * every other request to the next one. Throws when it was not built.
 */
export async function graphiqlPage(): Promise<Koa.Middleware> {
  const files = new Map<string, { type: string; bytes: Buffer }>();
  for (const [name, type] of Object.entries(FILES)) {
    files.set(`${OWN_PATHS.graphql}/${name}`, { type, bytes: await readBuilt(name) });
  }
  return (ctx, next) => {
    const isSignedIn = ctx.state.principal.kind === 'session';
    const file = isSignedIn ? files.get(ctx.path) : undefined;
    if (!['GET', 'HEAD'].includes(ctx.method) || (!file && !isPage(ctx))) return next();
    ctx.set('Content-Security-Policy', isSignedIn ? OWN_SCRIPTS : SIGN_IN_SCRIPT);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Cache-Control', 'private, no-cache');
    ctx.status = isSignedIn ? 200 : 401;
    ctx.type = file?.type ?? 'html';
    ctx.body = file?.bytes ?? (isSignedIn ? PAGE : SIGN_IN_PAGE);
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
  throw new Error('GRAPHIQL is on, but GraphiQL is not built: run npm run build:graphiql.');
}

const head = (title: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>`;

const PAGE = `${head('GraphiQL')}
<link rel="stylesheet" href="${OWN_PATHS.graphql}/graphiql.css">
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
<div id="graphiql"></div>
<script type="module" src="${OWN_PATHS.graphql}/graphiql.js"></script>
</html>
`;

const SIGN_IN = `
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password, code } = Object.fromEntries(new FormData(event.target));
  const body = JSON.stringify({
    query: 'mutation ($input: SignInInput!) { signIn(input: $input) { email } }',
    variables: { input: { email, password, ...(code ? { code } : {}) } },
  });
  const { errors } = await fetch('', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    .then((response) => response.json())
    .catch(() => ({ errors: [{ message: 'The service does not answer. Try again.' }] }));
  if (errors) document.querySelector('output').textContent = errors[0].message;
  else location.reload();
});
`;

const SIGN_IN_PAGE = `${head('Sign in to GraphiQL')}
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif }
form { display: grid; gap: 1rem; max-width: 20rem; margin: 4rem auto; padding: 0 1rem }
label { display: grid; gap: 0.25rem }
input, button { font: inherit; padding: 0.5rem }
</style>
<form>
<h1>Sign in</h1>
<label>Email <input name="email" type="email" autocomplete="username" required autofocus></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<label>Code of the authenticator app, if you use one <input name="code" autocomplete="one-time-code"></label>
<button>Sign in</button>
<output role="alert"></output>
</form>
<script>${SIGN_IN}</script>
</html>
`;

const OWN_SCRIPTS = policy("'self'");
const SIGN_IN_SCRIPT = policy(`'sha256-${createHash('sha256').update(SIGN_IN).digest('base64')}'`);
