import type { LinkChange } from '../links/linkInput.ts';
import type { Link } from '../models/Link.ts';
import { UTM_FIELDS, type UtmField } from '../routing/utm.ts';

type Cell = string | number | null;
/** Reads a cell from a link and the names of its tags. */
type ReadCell = (link: Link, tags: string[]) => Cell;

const UTM_CELLS = Object.fromEntries(
  UTM_FIELDS.map((field): [string, ReadCell] => [`utm_${field}`, ({ utm }) => utm?.[field] ?? null]),
) as Record<`utm_${UtmField}`, ReadCell>;

/**
 * Fields that our own files leave out: a password is stored as a hash only, `utm` has a column per parameter, and the
 * documented columns have no match window.
 */
type NotExported = 'password' | 'utm' | 'matchWindowSeconds';

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Uppercase<First> ? '_' : ''}${Lowercase<First>}${SnakeCase<Rest>}`
  : '';

/** Every other field that an input may set needs a column: otherwise an export and import would lose it silently. */
type RequiredCells = Record<SnakeCase<Exclude<keyof LinkChange, NotExported>>, ReadCell>;

/** The columns of our own files, in their order. */
const CELLS = {
  id: ({ id }) => id,
  domain: ({ domain }) => domain,
  slug: ({ slug }) => slug,
  destination: ({ destination }) => destination,
  title: ({ title }) => title,
  notes: ({ notes }) => notes,
  tags: (_, tags) => tags.join('|'),
  external_id: ({ externalId }) => externalId,
  managed_by: ({ managedBy }) => managedBy,
  ...UTM_CELLS,
  starts_at: ({ startsAt }) => startsAt?.toISOString() ?? null,
  expires_at: ({ expiresAt }) => expiresAt?.toISOString() ?? null,
  expired_destination: ({ expiredDestination }) => expiredDestination,
  click_limit: ({ clickLimit }) => clickLimit,
  archived: ({ archivedAt }) => String(archivedAt !== null),
  routing: ({ routing }) => routing && JSON.stringify(routing),
  data: ({ data }) => JSON.stringify(data),
  preview: ({ preview }) => preview && JSON.stringify(preview),
} satisfies RequiredCells & Record<string, ReadCell>;

export type ExportColumn = keyof typeof CELLS;

export const EXPORT_COLUMNS = Object.keys(CELLS) as ExportColumn[];

/** A link as a row of our own files, in the order of EXPORT_COLUMNS. */
export function linkCells(link: Link, tags: string[]): Cell[] {
  return EXPORT_COLUMNS.map((column) => CELLS[column](link, tags));
}
