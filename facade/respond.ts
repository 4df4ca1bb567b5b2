import type { Readable } from 'node:stream';
import type Koa from 'koa';
import { mapSliced } from '../src/kernel/sliced.ts';
import type { CompiledRoute } from './compileRoute.ts';

export interface Rendered {
  status: number;
  contentType: string;
  body: string | Buffer;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** What a row answers with the value of its root field; see `answer` in Route.ts. */
export async function answerOf(route: CompiledRoute, result: unknown): Promise<Rendered> {
  if (route.status === 204) return { status: 204, contentType: '', body: '' };
  if (route.answer === 'file') {
    const { mediaType, base64 } = result as { mediaType: string; base64: string };
    return { status: route.status, contentType: mediaType, body: Buffer.from(base64, 'base64') };
  }
  if (route.answer !== 'upsert') return json(route.status, result);
  const { created, ...made } = result as { created: boolean };
  return json(created ? 201 : 200, Object.values(made)[0]);
}

export function respond(ctx: Koa.Context, { status, contentType, body }: Rendered): void {
  ctx.status = status;
  if (status === 204) return;
  ctx.set('Content-Type', contentType);
  ctx.body = body;
}

/** Sends CSV as fast as the client takes it. */
export function respondStream(ctx: Koa.Context, csv: Readable, name: string): void {
  ctx.status = 200;
  ctx.set('Content-Type', 'text/csv; charset=utf-8');
  ctx.set('Content-Disposition', `attachment; filename="${name}.csv"`);
  ctx.body = csv;
}

async function json(status: number, value: unknown): Promise<Rendered> {
  return { status, contentType: JSON_TYPE, body: await textOf(value) };
}

/** Longer lists than any page are those of bulk calls, whose JSON may have megabytes. */
const LONG = 100;

/** As JSON.stringify writes it; long lists one entry after the other, with pauses in which others are answered. */
async function textOf(value: unknown): Promise<string> {
  if (!hasLong(value)) return JSON.stringify(value);
  const parts: string[] = [];
  for (const [name, inner] of Object.entries(value)) {
    const text = isLong(inner)
      ? `[${(await mapSliced(inner, (entry) => JSON.stringify(entry) ?? 'null')).join()}]`
      : JSON.stringify(inner);
    if (text !== undefined) parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join()}}`;
}

function isLong(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > LONG;
}

/** Asked of every answer: a loop costs a third of what a list of the values would. */
function hasLong(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  for (const name in value) if (isLong((value as Record<string, unknown>)[name])) return true;
  return false;
}
