import type { Operation } from './parts.ts';

/** Operations of the API, as assistants reach them. */
export type Way = 'read_api' | 'write_api';

/** Answers that are not text with an end: images, and streams of events. */
const NOT_TEXT = new Set(['file', 'stream']);

/** By which tool an operation is called; null when it is not offered. Whatever shows a secret is a write: it is confirmed. */
export function wayOf({ api, method, body, answer, secret, danger }: Operation): Way | null {
  const takesText = body === null || body.mediaType === 'application/json' || body.mediaType.startsWith('text/');
  if (api !== 'rest' || NOT_TEXT.has(answer.kind) || !takesText) return null;
  return method === 'GET' && !secret && danger !== 'reveals' ? 'read_api' : 'write_api';
}

/** The name of the argument that holds the file which an operation takes: `csv` for text/csv. Null where it takes JSON. */
export function fileArgumentOf({ body }: Operation): string | null {
  return body?.mediaType.startsWith('text/') ? body.mediaType.slice('text/'.length) : null;
}

/** Pages of the dashboard on which people do what the operations of a tag do. */
const PAGES: Record<string, string> = {
  ...{ Projects: '/settings', Links: '/links', Webhooks: '/webhooks', Analytics: '/analytics', Tags: '/links' },
  ...{ Domains: '/domains', Events: '/webhooks/events', Keys: '/api', Alerts: '/alerts', Health: '/health' },
  ...{ Imports: '/imports', Installs: '/apps/installs', Apps: '/apps' },
};

/** Tools that do the same in another form. */
const INSTEAD: Record<string, string> = { getLinkQr: 'get_qr_code', streamEvents: 'list_events' };

/** Who does what is not offered, and where. */
export interface Elsewhere {
  tool?: string;
  page: string;
  command?: string;
}

/** Where an operation is carried out that assistants are not offered: a page and a command for people. */
export function elsewhereOf({ id, api, call, tag }: Operation, baseUrl: string): Elsewhere {
  const tool = INSTEAD[id];
  return {
    ...(tool ? { tool } : {}),
    page: `${baseUrl}/app${PAGES[tag] ?? ''}`,
    ...(api === 'rest' ? { command: `svc ${call.split('.').map(kebab).join(' ')}` } : {}),
  };
}

/** Why an operation is not offered, and what to do instead. */
export function notOfferedText(operation: Operation, baseUrl: string): string {
  const { id, api, answer } = operation;
  if (api !== 'rest') return `${id} is called by apps with their publishable key. ${baseUrl}/reference/apps says how.`;
  const { tool, page, command } = elsewhereOf(operation, baseUrl);
  const why = answer.kind === 'stream' ? 'a stream without an end' : 'a file that is not text';
  const instead = tool ? ` Use the tool ${tool}, or a` : ' A';
  return `${id} is not offered to assistants: it is ${why}.${instead} person does it at ${page} or with ${command}.`;
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
