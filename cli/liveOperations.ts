import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cacheFolder } from './config/configFile.ts';
import type { Context } from './context.ts';
import { usageError } from './errors.ts';
import { replaceFile } from './replaceFile.ts';

/** How long the document of a server is used without asking whether it is still the same. */
const FRESH_MS = 86_400_000;
const DOCUMENT = { method: 'GET', path: '/api/v1/openapi.json' };

interface Kept {
  etag: string | null;
  askedAt: number;
  /** Method and path by operation id. */
  operations: Record<string, { method: string; path: string }>;
}

/** An operation of the server that this version does not know, by its id. */
export async function findLiveOperation(context: Context, id: string): Promise<{ method: string; path: string }> {
  const { operations } = await readDocument(context);
  const found = operations[id];
  if (found) return found;
  throw usageError(`Neither this version nor ${context.url} has an operation "${id}".`, 'svc docs lists them.');
}

async function readDocument(context: Context): Promise<Kept> {
  const file = path.join(cacheFolder(context.env), `openapi-${new URL(context.url).host.replaceAll(':', '-')}.json`);
  const kept: Kept | null = await readFile(file, 'utf8').then(JSON.parse, () => null);
  if (kept && Date.now() - kept.askedAt < FRESH_MS) return kept;
  const answer = await context
    .request(DOCUMENT, { headers: kept?.etag ? { 'If-None-Match': kept.etag } : {} })
    .catch((error: { status?: number }) => {
      if (error.status === 304) return null;
      throw error;
    });
  const fresh: Kept =
    answer === null && kept
      ? { ...kept, askedAt: Date.now() }
      : {
          etag: answer?.headers.get('ETag') ?? null,
          askedAt: Date.now(),
          operations: operationsIn(answer?.json() ?? { paths: {} }),
        };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await replaceFile(file, JSON.stringify(fresh), 0o600);
  return fresh;
}

function operationsIn({
  paths,
}: {
  paths: Record<string, Record<string, { operationId?: string }>>;
}): Kept['operations'] {
  const found: Kept['operations'] = {};
  for (const [at, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      if (operationId) found[operationId] = { method: method.toUpperCase(), path: at };
    }
  }
  return found;
}
