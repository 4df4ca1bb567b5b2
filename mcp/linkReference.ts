import type { Answered, Asked, Json, Operation } from './parts.ts';
import { refuse, ToolRefusal } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** Places of a bulk call that are looked up at a time. */
const LOOKUPS = 10;

/** The link of this name, by default that of the argument `link`: an id, `ext_…`, a short URL, or `domain/slug`. */
export function findLink(call: ToolCall, name = String(call.args.link)): Promise<Json> {
  const given = name.trim();
  if (isId(given)) return call.ask('getLink', { path: { id: given } });
  const place = placeOf(given);
  if (place) return call.ask('lookupLink', { query: place });
  refuse('validation_failed', 'This is not the name of a link.', {
    fields: [{ path: 'link', message: 'Must be an id (lnk_…), ext_ and an external_id, a short URL, or domain/slug.' }],
  });
}

/** Its id, which is asked for only where a place is named. */
export async function linkIdOf(call: ToolCall): Promise<string> {
  const given = String(call.args.link).trim();
  return isId(given) ? given : String((await findLink(call)).id);
}

/**
 * What an operation is asked, with the id of each link that is named by its place: in the path, in lists of ids, in filters
 * and in fields of the body. Every tool asks through it, so that links are named in the same four ways everywhere. A place
 * without a link stays in a list, where its row fails alone; elsewhere it is refused with `not_found`.
 */
export async function withLinkIds(call: ToolCall, operation: Operation, asked: Asked): Promise<Asked> {
  const { path, query, body } = asked;
  const isAboutLink = operation.path.includes('/links/{id}');
  return {
    ...asked,
    ...(path ? { path: isAboutLink && path.id ? { ...path, id: await idAt(call, path.id) } : path } : {}),
    ...(query ? { query: await queryWithIds(call, query) } : {}),
    ...(body === undefined ? {} : { body: await bodyWithIds(call, body, operation.path.includes('/links/')) }),
  };
}

async function queryWithIds(call: ToolCall, query: Record<string, string>): Promise<Record<string, string>> {
  const { link_id, link } = query;
  return {
    ...query,
    ...(link_id === undefined ? {} : { link_id: await idAt(call, link_id) }),
    ...(link === undefined ? {} : { link: await filterWithIds(call, link) }),
  };
}

/** A filter is a list in which a leading minus excludes. */
async function filterWithIds(call: ToolCall, filter: string): Promise<string> {
  if (!filter.includes('/')) return filter;
  const ids = await Promise.all(
    filter.split(',').map(async (entry) => {
      const [, minus = '', given = ''] = /^(-?)([\s\S]*)$/.exec(entry) ?? [];
      return `${minus}${await idAt(call, given)}`;
    }),
  );
  return ids.join(',');
}

async function bodyWithIds(call: ToolCall, value: unknown, isOfLinks: boolean): Promise<unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    if ((name === 'link_id' || name === 'link') && typeof inner === 'string')
      entries.push([name, await idAt(call, inner)]);
    else if (name === 'ids' && isOfLinks && Array.isArray(inner)) entries.push([name, await idsAt(call, inner)]);
    else if (name === 'links' && isOfLinks && Array.isArray(inner)) entries.push([name, await rowsAt(call, inner)]);
    else if (name === 'scope' || name === 'click') entries.push([name, await bodyWithIds(call, inner, isOfLinks)]);
    else entries.push([name, inner]);
  }
  return Object.fromEntries(entries);
}

/** A row of an upsert is named by its id alone; its external id is what it shall have. */
async function rowsAt(call: ToolCall, rows: unknown[]): Promise<unknown[]> {
  const given = rows.map((row) => (row as { id?: unknown } | null)?.id);
  const ids = await idsAt(call, given, (name) => externalIdOf(name) ?? placeOf(name));
  return rows.map((row, at) => (typeof ids[at] === 'string' ? { ...(row as object), id: ids[at] } : row));
}

async function idsAt(call: ToolCall, given: readonly unknown[], queryOf = placeOf): Promise<unknown[]> {
  const ids: unknown[] = [];
  for (let at = 0; at < given.length; at += LOOKUPS) {
    const some = given.slice(at, at + LOOKUPS).map(async (one) => {
      const place = typeof one === 'string' ? queryOf(one.trim()) : null;
      if (!place) return one;
      const found = await lookUp(call, place);
      if (found.ok) return (found.body as Json).id;
      if (found.refusal.code === 'not_found') return one;
      throw new ToolRefusal(found.refusal);
    });
    ids.push(...(await Promise.all(some)));
  }
  return ids;
}

async function idAt(call: ToolCall, given: string): Promise<string> {
  const place = placeOf(given.trim());
  if (!place) return given;
  const found = await lookUp(call, place);
  if (!found.ok) throw new ToolRefusal(found.refusal);
  return String((found.body as Json).id);
}

function lookUp(call: ToolCall, query: Record<string, string>): Promise<Answered> {
  return call.tryOut('lookupLink', { query });
}

function externalIdOf(given: string): Record<string, string> | null {
  return given.startsWith('ext_') ? { external_id: given.slice('ext_'.length) } : null;
}

/** No host has an underscore, so that a place cannot begin in this way. */
function isId(given: string): boolean {
  return /^(lnk|ext)_/.test(given);
}

/** The place that a short URL or `domain/slug` names; null for everything else. */
function placeOf(given: string): Record<string, string> | null {
  if (isId(given)) return null;
  if (/^https?:\/\//i.test(given)) return { short_url: given };
  const [, domain, slug] = /^([^/\s]+)\/([\s\S]+)$/.exec(given) ?? [];
  return domain && slug ? { domain, slug } : null;
}
