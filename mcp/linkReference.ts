import type { Json } from './parts.ts';
import { refuse } from './results.ts';
import type { ToolCall } from './toolCall.ts';

/** The link that the argument `link` names: an id, `ext_…`, a short URL, or `domain/slug`. */
export function findLink(call: ToolCall): Promise<Json> {
  const given = String(call.args.link).trim();
  if (isId(given)) return call.ask('getLink', { path: { id: given } });
  return call.ask('lookupLink', { query: placeOf(given) });
}

/** Its id, which is asked for only where a place is named. */
export async function linkIdOf(call: ToolCall): Promise<string> {
  const given = String(call.args.link).trim();
  return isId(given) ? given : String((await findLink(call)).id);
}

function isId(given: string): boolean {
  return /^(lnk|ext)_/.test(given) && !/^[^/]+\.[^/]+\//.test(given);
}

function placeOf(given: string): Record<string, string> {
  if (/^https?:\/\//i.test(given)) return { short_url: given };
  const slash = given.indexOf('/');
  if (slash > 0) return { domain: given.slice(0, slash), slug: given.slice(slash + 1) };
  refuse('validation_failed', 'This names no link.', {
    fields: [{ path: 'link', message: 'Must be an id (lnk_…), ext_ and an external_id, a short URL, or domain/slug.' }],
  });
}
