import { isDeeperThan, MAX_NESTING } from '../kernel/nesting.ts';
import { routingOf, splitShortUrl, toIsoTime, unwrapDynamicLink, withoutVendor } from './foreignCells.ts';
import type { Target } from './formats.ts';
import type { ColumnPlan } from './planColumns.ts';

/** Something that is wrong with a row; `column` as the file spells it. */
export interface RowProblem {
  column: string;
  message: string;
}

/** A row as a link on the wire (snake_case). What the file says nothing about is left out. */
export interface ReadRow {
  link: Record<string, unknown>;
  problems: RowProblem[];
}

const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const;
const TRUE = /^(true|yes|1|y|archived|on)$/i;
const FALSE = /^(false|no|0|n|active|off)$/i;

/** Turns the cells of a row into a link. What the fields must be like is checked later, by the rules of POST /links. */
export function readRow(plan: ColumnPlan, cells: string[]): ReadRow {
  if (cells.length !== plan.header.length) {
    const message = `The row has ${cells.length} cells, the first line has ${plan.header.length}.`;
    return { link: {}, problems: [{ column: '', message }] };
  }
  const problems: RowProblem[] = [];
  const complain = (target: Target, message: string) => problems.push({ column: columnOf(plan, target), message });
  cells.forEach((cell, index) => {
    if (cell.includes('\u0000'))
      problems.push({ column: plan.header[index] ?? '', message: 'Must not contain U+0000.' });
  });
  if (problems.length > 0) return { link: {}, problems };
  const given = valuesOf(plan, cells);
  if (!given.destination) complain('destination', 'Is required.');
  const link = plan.rules.emptyClears ? ownLink(given, complain) : foreignLink(given, plan, complain);
  return { link, problems };
}

/** The name of the column that a target, or the field of a link, is read from. */
export function columnOf(plan: ColumnPlan, field: string): string {
  const names = [field, ...(PARTS[field] ?? [])] as Target[];
  const index = names.flatMap((name) => plan.cells.get(name) ?? [])[0];
  return index === undefined ? field : (plan.header[index] ?? field);
}

/** Targets that a field of a link may have been put together from. */
const PARTS: Record<string, Target[]> = {
  domain: ['short_url'],
  slug: ['short_url'],
  preview: ['preview_title', 'preview_description', 'preview_image_url'],
  routing: ['ios_url', 'android_url', 'deep_link_path'],
};

type Given = Partial<Record<Target, string>>;
type Complain = (target: Target, message: string) => void;

/** The value of each target that the file has; empty where its cells are. */
function valuesOf(plan: ColumnPlan, cells: string[]): Given {
  const given: Given = {};
  for (const [target, indexes] of plan.cells) {
    const index = indexes.find((at) => cells[at]?.trim());
    given[target] = index === undefined ? '' : (cells[index] as string);
  }
  return given;
}

/** Of our own files: an empty cell is null, except where a link always has a value. */
function ownLink(given: Given, complain: Complain): Record<string, unknown> {
  const link: Record<string, unknown> = {};
  for (const name of ['id', 'domain', 'slug', 'destination'] as const) if (given[name]) link[name] = given[name];
  for (const name of NULLABLE) if (given[name] !== undefined) link[name] = given[name] || null;
  if (given.tags !== undefined) link.tags = tagsIn(given.tags, /\|/);
  if (given.click_limit !== undefined) link.click_limit = numberIn(given.click_limit);
  if (given.archived !== undefined) setArchived(link, given.archived, complain);
  for (const name of ['routing', 'data', 'preview'] as const) {
    if (given[name] !== undefined) link[name] = jsonIn(given[name], name, complain);
  }
  const utm = UTM.filter((name) => given[`utm_${name}`] !== undefined);
  if (utm.length > 0) link.utm = Object.fromEntries(utm.map((name) => [name, given[`utm_${name}`] || null]));
  return link;
}

const NULLABLE = ['title', 'notes', 'external_id', 'starts_at', 'expires_at', 'expired_destination'] as const;

/** Of the files of others: an empty cell says nothing. */
function foreignLink(cells: Given, { rules }: ColumnPlan, complain: Complain): Record<string, unknown> {
  const given: Given = { ...splitShortUrl(cells.short_url), ...filled(cells) };
  Object.assign(given, unwrapDynamicLink(given.destination), filled({ ...given, destination: '' }));
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
  if (given.data) link.data = jsonIn(given.data, 'data', complain);
  const utm = UTM.filter((name) => given[`utm_${name}`]);
  if (utm.length > 0) link.utm = Object.fromEntries(utm.map((name) => [name, given[`utm_${name}`]]));
  const { preview_title: title, preview_description: description, preview_image_url: image_url } = given;
  const preview = {
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    ...(image_url ? { image_url } : {}),
  };
  if (Object.keys(preview).length > 0) link.preview = preview;
  const routing = routingOf(given);
  if (routing) link.routing = routing;
  return link;
}

function filled(given: Given): Given {
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

/** What is no number stays text, which the rules refuse in their own words. */
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
    complain(target, `Nests deeper than ${MAX_NESTING} levels.`);
  } catch {
    complain(target, 'Must be JSON.');
  }
  return null;
}
