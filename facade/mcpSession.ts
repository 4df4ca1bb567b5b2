import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { maskError } from '../schema/execute.ts';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { consumeQuotas, tooManyRequests } from '../src/access/quotas.ts';
import { RequestOutcome } from '../src/kernel/requestOutcome.ts';
import { unlessStoreSilent } from '../src/kernel/storeResponse.ts';
import { fullPath } from './apis.ts';
import { throughTool } from './mcpParts.ts';
import { type Asked, perform } from './perform.ts';
import { type Body, NO_BODY, uploadOf } from './readBody.ts';
import type { Answer } from './respond.ts';
import { type CompiledRoute, DRY_RUN } from './route.ts';
import type { Apis } from './router.ts';

/** What a tool asks an operation. */
interface ToolAsks {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  isDryRun?: boolean;
  idempotencyKey?: string | undefined;
}

interface Through {
  tool: string;
  client: string | null;
  signal?: AbortSignal | undefined;
}

interface Asker {
  principal: KeyPrincipal;
  requestId: string;
  clientAddress: string;
  userAgent: string | null;
}

/** The key that asks, for the tools: they carry out operations by `perform`, with its rights and within its quotas. */
export function sessionOf({ routes, schema }: Apis, { principal, requestId, clientAddress, userAgent }: Asker) {
  // The request itself was counted when it was admitted.
  let isFirst = true;
  const count = async () => {
    if (isFirst) {
      isFirst = false;
      return;
    }
    const [state] = await consumeQuotas([['secretKey', principal.keyId]]);
    if (state?.isExceeded) throw tooManyRequests(state);
  };
  return {
    keyId: principal.keyId,
    projectId: principal.projectId,
    teamId: principal.teamId,
    scopes: principal.scopes as ReadonlySet<string>,
    requestId,
    userAgent,
    async perform(operation: string, asks: ToolAsks, { tool, client, signal }: Through) {
      const outcome = new RequestOutcome();
      const leave = () => outcome.abandon();
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await unlessStoreSilent(async () => {
          await count();
          const route = routeOf(routes, operation);
          const caller = { principal: throughTool(principal, tool, client), requestId, clientAddress, outcome };
          const asked = await askedOf(route, asks);
          try {
            return await answeredBy(await perform(route, schema, asked, caller));
          } finally {
            await asked.body.upload?.remove();
          }
        });
      } catch (error) {
        const { code, message, fields, retryAfterSeconds, status } = maskError(error, requestId);
        // Decided now: what has not begun to commit never will.
        const isEffectUnknown = status >= 500 && !outcome.refuse();
        return {
          ok: false as const,
          refusal: { code: code as string, message, fields, retryAfterSeconds, isEffectUnknown },
        };
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
  };
}

export type McpSession = ReturnType<typeof sessionOf>;

function routeOf(routes: readonly CompiledRoute[], id: string): CompiledRoute {
  const route = routes.find((candidate) => candidate.id === id);
  if (!route) throw new Error(`There is no operation ${id}`);
  return route;
}

/** The request that would have asked the same over HTTP. */
async function askedOf(
  route: CompiledRoute,
  { path = {}, query = {}, body, isDryRun, idempotencyKey }: ToolAsks,
): Promise<Asked> {
  const search = new URLSearchParams(query);
  if (isDryRun) search.set(DRY_RUN.name, 'true');
  const target = fullPath(route).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const text = search.toString();
  return {
    path,
    query: search,
    body: await bodyOf(route, body),
    target: text ? `${target}?${text}` : target,
    idempotencyKey,
  };
}

async function bodyOf({ takes }: CompiledRoute, value: unknown): Promise<Body> {
  if (value === undefined) return NO_BODY;
  if (takes === 'csv') return uploadOf(String(value));
  return { value, sha256: createHash('sha256').update(JSON.stringify(value)).digest('hex'), upload: null };
}

/** A stored answer to a retry may be a refusal. */
async function answeredBy({ status, contentType, body, isReplayed = false }: Answer) {
  if (body instanceof Readable) return { ok: true as const, contentType, isReplayed, ...(await beginningOf(body)) };
  const isJson = contentType.startsWith('application/json');
  const value: unknown = isJson ? JSON.parse(body.toString()) : body;
  if (status < 400) return { ok: true as const, contentType, body: value, isReplayed };
  const { code, message, fields } = (
    value as { error: { code: string; message: string; fields?: { path: string; message: string }[] } }
  ).error;
  return {
    ok: false as const,
    refusal: { code, message, fields, retryAfterSeconds: undefined, isEffectUnknown: false },
  };
}

/** More of a file does not fit into a result of a tool. */
const MAX_FILE_CHARACTERS = 48_000;

/** The first lines of a file; the rest is not even read from the store. */
async function beginningOf(file: Readable): Promise<{ body: string; isTruncated: boolean }> {
  let text = '';
  for await (const chunk of file.setEncoding('utf8')) {
    text += chunk;
    // Leaving the loop ends the stream.
    if (text.length > MAX_FILE_CHARACTERS)
      return { body: text.slice(0, text.lastIndexOf('\n') + 1), isTruncated: true };
  }
  return { body: text, isTruncated: false };
}
