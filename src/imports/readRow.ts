import { isDeeperThan, MAX_NESTING } from '../kernel/wire.ts';
import { UTM_FIELDS } from '../routing/utm.ts';
import {
  type Cells,
  countriesIn,
  passwordIn,
  routingOf,
  shortUrlsIn,
  splitShortUrl,
  toIsoTime,
  unwrapDynamicLink,
  withoutVendor,
} from './cells.ts';
import { EXPORT_COLUMNS, type ExportColumn } from './exportColumns.ts';
import type { Target } from './formats.ts';
import { type ColumnPlan, notImported, unusedCells } from './planColumns.ts';

/** What is wrong with a row; `column` is in the spelling of the file, '' for the row as a whole. */
export interface RowProblem {
  column: string;
  message: string;
}

/** A row as a link in the spelling of REST; fields that the file does not have are missing. */
export interface ReadRow {
  link: Record<string, unknown>;
  problems: RowProblem[];
  /** What the row has and the link will not have; the row is imported nevertheless. */
  notes: RowProblem[];
}

const TRUE = /^(true|yes|1|y|archived|on)$/i;
const FALSE = /^(false|no|0|n|active|off)$/i;

/** Turns the cells of a row into a link. Its fields are validated later, by the rules of POST /links. */
export function readRow(plan: ColumnPlan, cells: string[], shortUrl?: string): ReadRow {
  if (cells.length !== plan.header.length) {
    const message = `The row has ${cells.length} cells, but the first line has ${plan.header.length}.`;
    return { link: {}, problems: [{ column: '', message }], notes: [] };
  }
  const problems: RowProblem[] = [];
  const complain = (target: Target, message: string) => problems.push({ column: columnOf(plan, target), message });
  cells.forEach((cell, index) => {
    if (cell.includes('\u0000'))
      problems.push({ column: plan.header[index] ?? '', message: 'Must not contain U+0000.' });
  });
  if (problems.length > 0) return { link: {}, problems, notes: [] };
  const { given, used } = valuesOf(plan, cells);
  if (shortUrl) given.short_url = shortUrl;
  if (!given.destination) complain('destination', 'Is required.');
  const notes: RowProblem[] = unusedCells(plan, cells, used);
  const note = (target: Target, message: string) => notes.push({ column: columnOf(plan, target), message });
  const link = plan.rules.emptyClears
    ? ownLink(given, complain)
    : foreignLink(given, { plan, cells, isOfSeveral: shortUrl !== undefined, complain, note });
  return { link, problems, notes };
}

/** The short URLs of a row that becomes several links, each once; empty when the row is one link. */
export function linksIn(plan: ColumnPlan, cells: string[]): string[] {
  if (!plan.rules.everyShortUrl || cells.length !== plan.header.length) return [];
  const named = (plan.cells.get('short_url') ?? []).flatMap((at) => shortUrlsIn(cells[at]));
  const byAddress = named.map((url) => {
    const { domain, slug } = splitShortUrl(url);
    return [`${withoutVendor(domain, plan.rules.vendorDomains) ?? ''}/${slug ?? ''}`, url] as const;
  });
  // URLs that share an address once they have left the vendor's domain are one link. The vendor shows the first.
  const urls = [...new Map(byAddress.toReversed()).values()].toReversed();
  return urls.length > 1 ? urls : [];
}

/** The column of the file that a target or a field of a link is read from; the field's own name if there is none. */
export function columnOf(plan: ColumnPlan, field: string): string {
  const names = [field, ...(PARTS[field] ?? [])] as Target[];
  const index = names.flatMap((name) => plan.cells.get(name) ?? [])[0];
  return index === undefined ? field : (plan.header[index] ?? field);
}

/** The targets that a field of a link may be assembled from. */
const PARTS: Record<string, Target[]> = {
  domain: ['short_url'],
  slug: ['short_url'],
  preview: ['preview_title', 'preview_description', 'preview_image_url'],
  routing: ['ios_url', 'tablet_url', 'android_url', 'desktop_url', 'geo', 'deep_link_path', 'destination'],
};

type Complain = (target: Target, message: string) => void;

/** The value of each target that the file has, '' for empty cells. `used`: the indexes of the cells with these values. */
function valuesOf(plan: ColumnPlan, cells: string[]): { given: Cells; used: Set<number> } {
  const given: Cells = {};
  const used = new Set<number>();
  for (const [target, indexes] of plan.cells) {
    const index = indexes.find((at) => cells[at]?.trim());
    given[target] = index === undefined ? '' : (cells[index] as string);
    for (const at of plan.rules.everyShortUrl && target === 'short_url' ? indexes : [index]) {
      if (at !== undefined) used.add(at);
    }
  }
  return { given, used };
}

/** A row of our own files: an empty cell is null, except for fields that every link has. */
function ownLink(given: Cells, complain: Complain): Record<string, unknown> {
  const link: Record<string, unknown> = {};
  for (const name of ['id', 'domain', 'slug', 'destination'] as const) if (given[name]) link[name] = given[name];
  for (const name of TEXT_COLUMNS) if (given[name] !== undefined) link[name] = given[name] || null;
  if (given.tags !== undefined) link.tags = tagsIn(given.tags, /\|/);
  if (given.click_limit !== undefined) link.click_limit = numberIn(given.click_limit);
  if (given.archived !== undefined) setArchived(link, given.archived, complain);
  for (const name of ['routing', 'data', 'preview'] as const) {
    if (given[name] !== undefined) link[name] = jsonIn(given[name], name, complain);
  }
  const password = passwordIn(given, complain);
  if (password !== null) link.password = password;
  const utm = UTM_FIELDS.filter((name) => given[`utm_${name}`] !== undefined);
  if (utm.length > 0) link.utm = Object.fromEntries(utm.map((name) => [name, given[`utm_${name}`] || null]));
  return link;
}

/** Columns that are more than a text, or that a link cannot be without. */
const OTHER_COLUMNS: ReadonlySet<ExportColumn> = new Set([
  ...([
    'id',
    'domain',
    'slug',
    'destination',
    'tags',
    'click_limit',
    'archived',
    'routing',
    'data',
    'preview',
  ] as const),
  ...UTM_FIELDS.map((field) => `utm_${field}` as const),
]);

/** Columns that are taken as they are; an empty cell clears the field. A new column of our own files is one of them. */
const TEXT_COLUMNS = EXPORT_COLUMNS.filter((column) => !OTHER_COLUMNS.has(column));

interface Foreign {
  plan: ColumnPlan;
  cells: string[];
  /** Its short URL is one of several in the row. */
  isOfSeveral: boolean;
  complain: Complain;
  note: Complain;
}

const ROOT = 'This is a domain without a slug, not a short link. Set root_destination of the domain instead.';

/** A row of a vendor's file: an empty cell leaves its field out. */
function foreignLink(row: Cells, { plan, cells, isOfSeveral, complain, note }: Foreign): Record<string, unknown> {
  const { rules } = plan;
  const given: Cells = { ...splitShortUrl(row.short_url), ...filled(row) };
  const dynamic = unwrapDynamicLink(given.destination);
  Object.assign(given, dynamic.given, filled({ ...given, destination: '' }));
  if (Object.keys(dynamic.rest).length > 0) note('destination', notImported(dynamic.rest));
  if (isOfSeveral) note('short_url', `One of several links of this row: ${row.short_url}.`);
  if ((given.short_url && !given.slug) || given.slug === '_root') complain(given.slug ? 'slug' : 'short_url', ROOT);
  const link: Record<string, unknown> = {};
  const domain = withoutVendor(given.domain, rules.vendorDomains);
  if (domain) link.domain = domain;
  for (const name of ['slug', 'destination', 'title', 'notes', 'external_id', 'expired_destination'] as const) {
    if (given[name]) link[name] = given[name];
  }
  for (const name of ['starts_at', 'expires_at'] as const) if (given[name]) link[name] = toIsoTime(given[name]);
  if (given.tags) link.tags = tagsIn(given.tags.replace(/^\[|\]$|"/g, ''), rules.tagSeparator);
  if (given.click_limit) link.click_limit = numberIn(given.click_limit);
  if (given.archived) setArchived(link, given.archived, complain);
  const data = given.data ? jsonIn(given.data, 'data', complain) : null;
  const rest = plan.data.flatMap((at) => (cells[at]?.trim() ? [[plan.header[at] ?? '', cells[at]]] : []));
  if (rest.length > 0) link.data = { ...Object.fromEntries(rest), ...(data as object | null) };
  else if (given.data) link.data = data;
  const password = passwordIn(given, complain);
  if (password !== null) link.password = password;
  const utm = UTM_FIELDS.filter((name) => given[`utm_${name}`]);
  if (utm.length > 0) link.utm = Object.fromEntries(utm.map((name) => [name, given[`utm_${name}`]]));
  const { preview_title: title, preview_description: description, preview_image_url: image_url } = given;
  const preview = {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(image_url ? { image_url } : {}),
  };
  if (Object.keys(preview).length > 0) link.preview = preview;
  if (countriesIn(given.geo) === null)
    note('geo', `${notImported(given.geo)} It must say which country leads where, such as {"DE": "https://…"}.`);
  const routing = routingOf(given);
  if (routing) link.routing = routing;
  return link;
}

function filled(given: Cells): Cells {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value?.trim()));
}

function tagsIn(cell: string, separator: RegExp): string[] {
  return [
    ...new Set(
      cell
        .split(separator)
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
}

/** A text that is not a number stays as it is, for the rules to refuse. */
function numberIn(cell: string): number | string | null {
  if (cell.trim() === '') return null;
  return /^\d{1,15}$/.test(cell.trim()) ? Number(cell) : cell;
}

function setArchived(link: Record<string, unknown>, cell: string, complain: Complain): void {
  const value = cell.trim();
  if (TRUE.test(value)) link.archived = true;
  else if (FALSE.test(value)) link.archived = false;
  else if (value) complain('archived', 'Must be true or false.');
}

function jsonIn(cell: string, target: Target, complain: Complain): unknown {
  if (cell.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(cell);
    if (typeof value !== 'object' || value === null || !isDeeperThan(value, MAX_NESTING)) return value;
    complain(target, `Must not nest deeper than ${MAX_NESTING} levels.`);
  } catch {
    complain(target, 'Must be JSON.');
  }
  return null;
}
