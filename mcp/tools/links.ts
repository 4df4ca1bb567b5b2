import { carryOut, endOf } from '../change.ts';
import { findLink, linkIdOf } from '../linkReference.ts';
import type { Json } from '../parts.ts';
import { refuse } from '../results.ts';
import type { Ran, Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { linkView, noticed, pageView } from '../views.ts';
import { BULK, CURSOR, DRY_RUN, IDEMPOTENCY_KEY, LINK, limitOf, REPEATED } from './arguments.ts';

/** QR codes that are larger are of no use in a conversation. */
const MAX_IMAGE_BYTES = 256 * 1024;

/** Finding and changing links. */
export const LINK_TOOLS: Tool[] = [
  {
    name: 'find_links',
    toolset: 'core',
    description: 'Finds links of the project, newest first unless sorted otherwise.',
    operations: ['listLinks'],
    does: 'reads',
    arguments: {
      ...pickedFrom('listLinks', 'search tag domain status created_after created_before sort order'),
      limit: limitOf(10, 50),
      cursor: CURSOR,
      detail: { enum: ['concise', 'full'] },
    },
    narrow: 'narrow with search, tag, domain or status, or take detail concise',
    async run(call) {
      const query = call.query(
        'search',
        'tag',
        'domain',
        'status',
        'created_after',
        'created_before',
        'sort',
        'order',
        'cursor',
      );
      const page = await call.ask('listLinks', { query: { ...query, limit: call.text('limit') ?? '10' } });
      return {
        value: noticed(pageView(page, (link) => linkView(link, call.args.detail), 'search, tag, domain or status')),
      };
    },
  },
  {
    name: 'get_link',
    toolset: 'core',
    description: 'One link with all of its fields.',
    operations: ['getLink', 'lookupLink'],
    does: 'reads',
    arguments: { link: LINK },
    required: ['link'],
    async run(call) {
      return { value: noticed({ link: linkView(await findLink(call), 'full') }) };
    },
  },
  {
    name: 'create_links',
    toolset: 'core',
    description:
      'Creates 1 to 100 links. A link that is refused does not stop the others. Set external_id to find them again.',
    operations: ['createLink', 'bulkCreateLinks'],
    does: 'writes',
    arguments: {
      links: { from: 'createLink.*', type: 'array', minItems: 1, maxItems: BULK },
      dry_run: DRY_RUN,
      idempotency_key: IDEMPOTENCY_KEY,
      confirm: REPEATED,
    },
    required: ['links'],
    run: createLinks,
  },
  {
    name: 'update_links',
    toolset: 'core',
    description:
      'Makes the same change to 1 to 100 links: sets fields (null clears one; others stay), adds tags, removes tags.',
    operations: ['bulkUpdateLinks'],
    does: 'writes',
    isIdempotent: true,
    arguments: {
      ids: idsTo('change'),
      set: { type: 'object', description: 'Fields as in create_links, but archived: see archive_links.' },
      ...pickedFrom('bulkUpdateLinks', 'add_tags remove_tags'),
      dry_run: DRY_RUN,
      confirm: REPEATED,
    },
    required: ['ids'],
    run: updateLinks,
  },
  {
    name: 'archive_links',
    toolset: 'core',
    description:
      'Stops links from redirecting, or with archived false lets them work again. Keeps slug, clicks and history: prefer it to delete_links.',
    operations: ['bulkUpdateLinks'],
    does: 'destroys',
    isIdempotent: true,
    arguments: {
      ids: idsTo('archive'),
      archived: { type: 'boolean', description: 'true by default' },
      dry_run: DRY_RUN,
      confirm: REPEATED,
    },
    required: ['ids'],
    run(call) {
      const archived = call.args.archived !== false;
      const what = archived ? `Stop ${countOf(call)} (archive)` : `Let ${countOf(call)} work again`;
      return changeLinks(call, { change: { set: { archived } }, what });
    },
  },
  {
    name: 'delete_links',
    toolset: 'core',
    description: 'Deletes 1 to 100 links for good, with their slugs and clicks. It is always confirmed.',
    operations: ['bulkDeleteLinks'],
    does: 'destroys',
    arguments: { ids: idsTo('delete'), dry_run: DRY_RUN, confirm: REPEATED },
    required: ['ids'],
    async run(call) {
      const { ids } = call.args as { ids: string[] };
      const asked = { body: { ids } };
      const changed = await carryOut(call, {
        operation: 'bulkDeleteLinks',
        asked,
        records: ids.length,
        what: `Delete ${countOf(call)} for good`,
      });
      return { value: { counts: changed.body.counts, ids, ...endOf(changed) } };
    },
  },
  {
    name: 'trace_link',
    toolset: 'core',
    description: 'Where a link leads a certain visitor, and why, step by step. Counts no click.',
    operations: ['traceLink', 'lookupLink'],
    does: 'reads',
    arguments: { link: LINK, ...pickedFrom('traceLink', 'platform device country language at query referrer_host') },
    required: ['link'],
    async run(call) {
      const query = call.query('platform', 'device', 'country', 'language', 'at', 'query', 'referrer_host');
      return { value: await call.ask('traceLink', { path: { id: await linkIdOf(call) }, query }) };
    },
  },
  {
    name: 'get_qr_code',
    toolset: 'core',
    description: 'The QR code of a link, as an image.',
    operations: ['getLinkQr', 'lookupLink'],
    does: 'reads',
    arguments: {
      link: LINK,
      format: { enum: ['png', 'svg'], description: 'png by default' },
      size: { type: 'integer', minimum: 64, maximum: 1024, description: 'Pixels; 512 by default' },
      ...pickedFrom('getLinkQr', 'level foreground background'),
    },
    required: ['link'],
    run: showQrCode,
  },
];

async function createLinks(call: ToolCall): Promise<Ran> {
  const { links } = call.args as { links: Json[] };
  const what = `Create ${links.length} ${links.length === 1 ? 'link' : 'links'}`;
  const [only] = links;
  if (links.length === 1) {
    const changed = await carryOut(call, { operation: 'createLink', asked: { body: only }, records: 1, what });
    return { value: { links: [linkView(changed.body)], ...endOf(changed) } };
  }
  const changed = await carryOut(call, {
    operation: 'bulkCreateLinks',
    asked: { body: { links } },
    records: links.length,
    what,
  });
  const { counts, results, batch_id } = changed.body as { counts: Json; results: { link: Json }[]; batch_id: string };
  return { value: { counts, batch_id, links: results.map(({ link }) => linkView(link)), ...endOf(changed) } };
}

async function updateLinks(call: ToolCall): Promise<Ran> {
  const { set, add_tags, remove_tags } = call.args as { set?: Json; add_tags?: string[]; remove_tags?: string[] };
  if (set && 'archived' in set) {
    refuse('validation_failed', 'Some fields are not valid.', {
      fields: [{ path: 'set.archived', message: 'Use archive_links.' }],
    });
  }
  const steps = [
    set && `change ${namesIn(Object.keys(set))}`,
    add_tags && `add tags (${namesIn(add_tags)})`,
    remove_tags && `remove tags (${namesIn(remove_tags)})`,
  ].filter((step) => step !== undefined);
  const what = `${steps.join(', ')} of ${countOf(call)}`;
  const change = { set, add_tags, remove_tags };
  return changeLinks(call, { change, what: `${what.charAt(0).toUpperCase()}${what.slice(1)}` });
}

async function changeLinks(call: ToolCall, { change, what }: { change: Json; what: string }): Promise<Ran> {
  const { ids } = call.args as { ids: string[] };
  const changed = await carryOut(call, {
    operation: 'bulkUpdateLinks',
    asked: { body: { ids, ...change } },
    records: ids.length,
    what,
  });
  const { counts, results } = changed.body as { counts: Json; results: { link: Json }[] };
  return { value: { counts, links: results.map(({ link }) => linkView(link)), ...endOf(changed) } };
}

async function showQrCode(call: ToolCall): Promise<Ran> {
  const path = { id: await linkIdOf(call) };
  const query = { format: 'png', ...call.query('format', 'size', 'level', 'foreground', 'background') };
  const { body, contentType } = await call.answer('getLinkQr', { path, query });
  const bytes = body as Buffer;
  if (bytes.length > MAX_IMAGE_BYTES)
    refuse('payload_too_large', 'The image is larger than 256 KiB. Ask for a smaller size.');
  const mimeType = contentType.split(';')[0] as string;
  return { result: { content: [{ type: 'image', data: bytes.toString('base64'), mimeType }] } };
}

function idsTo(what: string) {
  return {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: BULK,
    description: `Links to ${what}, each as in get_link`,
  };
}

/** `3 links: lnk_a, lnk_b, lnk_c`. */
function countOf({ args }: ToolCall): string {
  const { ids } = args as { ids: string[] };
  return `${ids.length} ${ids.length === 1 ? 'link' : 'links'}: ${namesIn(ids)}`;
}

function namesIn(names: readonly string[]): string {
  const shown = names
    .slice(0, 10)
    .map((name) => name.slice(0, 60))
    .join(', ');
  return `${shown}${names.length > 10 ? ', …' : ''}`;
}

function pickedFrom(operation: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, `${operation}.${name}`]));
}
