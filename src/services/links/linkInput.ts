import type { Utm } from '../../models/Link.ts';

/** What can be said about a link at creation and at a change; a field that is not sent is undefined. */
export interface LinkInput {
  domain?: string | null;
  slug?: string | null;
  destination?: string;
  routing?: Record<string, unknown> | null;
  data?: Record<string, unknown> | null;
  tags?: string[] | null;
  externalId?: string | null;
  title?: string | null;
  notes?: string | null;
  utm?: Utm | null;
  preview?: { title?: string | null; description?: string | null; imageUrl?: string | null } | null;
  startsAt?: Date | null;
  expiresAt?: Date | null;
  expiredDestination?: string | null;
  clickLimit?: number | null;
  matchWindowSeconds?: number | null;
  /** In plain text, on its way to its hash. */
  password?: string | null;
}

/** What can be said at a change alone. */
export interface LinkChange extends LinkInput {
  archived?: boolean | null;
}

/** The columns of a link that follow from what was sent. Nothing here needs the store. */
export function linkColumns(input: LinkInput): Record<string, unknown> {
  const { preview, data, domain, slug, tags, ...plain } = input;
  const columns: Record<string, unknown> = {};
  for (const field of PLAIN_FIELDS) if (plain[field] !== undefined) columns[field] = plain[field];
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

const PLAIN_FIELDS = [
  'destination',
  'routing',
  'externalId',
  'title',
  'notes',
  'utm',
  'startsAt',
  'expiresAt',
  'expiredDestination',
  'clickLimit',
  'matchWindowSeconds',
] as const;
