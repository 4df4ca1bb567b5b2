import { givenToStore } from '../db/ofStore.ts';
import type { FieldProblem } from '../kernel/errors.ts';
import type { LinkColumns } from '../models/Link.ts';

/** Columns that no input sets as it is: they follow from other fields, from clicks or from scans. */
type OtherColumn =
  | 'id'
  | 'projectId'
  | 'data'
  | 'preview'
  | 'passwordHash'
  | 'clicks'
  | 'lastClickedAt'
  | 'flagReason'
  | 'flaggedAt'
  | 'flaggedBy'
  | 'clearedVerdict'
  | 'reviewRequestedAt'
  | 'scannedAt'
  | 'archivedAt'
  | 'batchId'
  | 'createdAt'
  | 'updatedAt';

/** The fields that a creation and a change may set; one that was not sent is undefined. */
export interface LinkInput extends Partial<Omit<LinkColumns, OtherColumn | 'domain' | 'slug'>> {
  domain?: string | null;
  slug?: string | null;
  data?: Record<string, unknown> | null;
  tags?: string[] | null;
  preview?: { title?: string | null; description?: string | null; imageUrl?: string | null } | null;
  /** In plain text; only its hash is stored. */
  password?: string | null;
}

/** The fields that a change may set. */
export interface LinkChange extends LinkInput {
  archived?: boolean | null;
}

/** A link of a list that its external id names. */
export type UpsertRow = LinkChange & { externalId: string; id?: string };

/** The columns that follow from the input alone; address, tags and password need the store. */
export function linkColumns(input: LinkChange): Record<string, unknown> {
  const { preview, data, domain, slug, tags, password, archived, ...plain } = input;
  const columns: Record<string, unknown> = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  );
  if (data !== undefined) columns.data = data ?? {};
  if (preview !== undefined) {
    columns.preview = preview && {
      title: preview.title ?? null,
      description: preview.description ?? null,
      image_url: preview.imageUrl ?? null,
    };
  }
  return columns;
}

/** A link in a list or a file, in the spelling of REST (snake_case, times as text). */
export type LinkRow = Record<string, unknown>;

export type ParsedRow<Input> = { input: Input } | { problems: FieldProblem[] };

export interface LinkRules {
  create(row: LinkRow): ParsedRow<LinkInput>;
  update(row: LinkRow): ParsedRow<LinkChange>;
  upsert(row: LinkRow): ParsedRow<UpsertRow>;
}

const rules = givenToStore<LinkRules>('useLinkRules');

/** Sets the rules of POST, PATCH and PUT of links, which the schema declares. The composition root calls this at the start. */
export const useLinkRules = rules.give;

/** Validates a row by the rules of POST (`create`), PATCH (`update`) or PUT (`upsert`) of links. Returns its input, or every bad field. */
export function parseLinkRow<Kind extends keyof LinkRules>(kind: Kind, row: LinkRow): ReturnType<LinkRules[Kind]> {
  return rules.get()[kind](row) as ReturnType<LinkRules[Kind]>;
}
