import { type FieldProblem, pathOf } from '../../kernel/GraphqlError.ts';
import type { JsonObject, ResultOf, VariablesOf } from '../../kernel/graphql.ts';
import type { CREATE_LINK, LINK_TO_EDIT } from './operations.ts';
import { type Routing, routingToWire, wireToRouting } from './routing.ts';

export const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];

/** A link as the form holds it: texts of its fields, and the routing as a tree. */
export interface Draft {
  destination: string;
  domain: string;
  slug: string;
  tags: string[];
  title: string;
  notes: string;
  utm: Record<UtmField, string>;
  routing: Routing;
  /** JSON as it is written. */
  data: string;
  preview: { title: string; description: string; imageUrl: string };
  startsAt: string;
  expiresAt: string;
  clickLimit: string;
  expiredDestination: string;
  /** A new one; empty: none, or the one that is set already. */
  password: string;
  removesPassword: boolean;
  matchWindowSeconds: string;
  externalId: string;
}

export type LinkToEdit = NonNullable<ResultOf<typeof LINK_TO_EDIT>['link']>;
type LinkInput = Omit<VariablesOf<typeof CREATE_LINK>['input'], 'projectId'>;

export function emptyDraft(domain: string): Draft {
  return {
    destination: '',
    domain,
    slug: '',
    tags: [],
    title: '',
    notes: '',
    utm: { source: '', medium: '', campaign: '', term: '', content: '' },
    routing: wireToRouting(null),
    data: '',
    preview: { title: '', description: '', imageUrl: '' },
    startsAt: '',
    expiresAt: '',
    clickLimit: '',
    expiredDestination: '',
    password: '',
    removesPassword: false,
    matchWindowSeconds: '',
    externalId: '',
  };
}

/** The form of a link that exists. */
export function draftOf(link: LinkToEdit): Draft {
  const { utm, preview, data } = link;
  return {
    destination: link.destination,
    domain: link.domain,
    slug: link.slug,
    tags: [...link.tags],
    title: link.title ?? '',
    notes: link.notes ?? '',
    utm: Object.fromEntries(UTM_FIELDS.map((field) => [field, utm?.[field] ?? ''])) as Record<UtmField, string>,
    routing: wireToRouting(link.routingJson as JsonObject | null),
    data: Object.keys(data as JsonObject).length > 0 ? JSON.stringify(data, null, 2) : '',
    preview: {
      title: preview?.title ?? '',
      description: preview?.description ?? '',
      imageUrl: preview?.imageUrl ?? '',
    },
    startsAt: localTime(link.startsAt),
    expiresAt: localTime(link.expiresAt),
    clickLimit: link.clickLimit?.toString() ?? '',
    expiredDestination: link.expiredDestination ?? '',
    password: '',
    removesPassword: false,
    matchWindowSeconds: link.matchWindowSeconds?.toString() ?? '',
    externalId: link.externalId ?? '',
  };
}

/** A link like this one, at a slug of its own. */
export function duplicateOf(link: LinkToEdit): Draft {
  return { ...draftOf(link), slug: '', externalId: '' };
}

/** A draft as it may be kept. */
export function withoutPassword<Values extends Partial<Draft>>(draft: Values): Values {
  return 'password' in draft ? { ...draft, password: '' } : draft;
}

/** What the API takes. Empty fields are null; the password is left out where it stays as it is. */
export function inputOf(draft: Draft): LinkInput {
  return {
    destination: draft.destination.trim(),
    domain: draft.domain || null,
    ...(draft.slug.trim() ? { slug: draft.slug.trim() } : {}),
    tags: draft.tags,
    title: textOrNull(draft.title),
    notes: textOrNull(draft.notes),
    utm: objectOrNull(draft.utm),
    routing: routingToWire(draft.routing),
    data: (parsedData(draft.data) ?? {}) as LinkInput['data'],
    preview: objectOrNull(draft.preview),
    startsAt: timeOrNull(draft.startsAt),
    expiresAt: timeOrNull(draft.expiresAt),
    clickLimit: numberOrNull(draft.clickLimit),
    expiredDestination: textOrNull(draft.expiredDestination),
    ...(draft.password ? { password: draft.password } : draft.removesPassword ? { password: null } : {}),
    matchWindowSeconds: numberOrNull(draft.matchWindowSeconds),
    externalId: textOrNull(draft.externalId),
  };
}

/** The data of the link; null where the text is not a JSON object. */
export function parsedData(text: string): JsonObject | null {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The first problem of a field, whose path is that of the API below the input: `routing.rules.0.destination`. */
export function problemAt(problems: readonly FieldProblem[], path: string): FieldProblem | undefined {
  return problems.find((problem) => pathOf(problem) === path);
}

/** Takes campaign parameters out of a destination; null where it has none. */
export function splitCampaign(
  destination: string,
): { destination: string; utm: Partial<Record<UtmField, string>> } | null {
  if (!URL.canParse(destination)) return null;
  const url = new URL(destination);
  const found = UTM_FIELDS.flatMap((field) => {
    const value = url.searchParams.get(`utm_${field}`);
    url.searchParams.delete(`utm_${field}`);
    return value ? [[field, value] as const] : [];
  });
  return found.length > 0 ? { destination: url.href, utm: Object.fromEntries(found) } : null;
}

/** A time as `<input type="datetime-local">` has it, in the zone of the browser. */
function localTime(time: string | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function timeOrNull(text: string): string | null {
  return text ? new Date(text).toISOString() : null;
}

function textOrNull(text: string): string | null {
  return text.trim() || null;
}

function numberOrNull(text: string): number | null {
  return text.trim() ? Number(text) : null;
}

function objectOrNull<Field extends string>(texts: Record<Field, string>): Record<Field, string | null> | null {
  const entries = Object.entries<string>(texts).map(([field, text]) => [field, textOrNull(text)] as const);
  return entries.some(([, text]) => text !== null)
    ? (Object.fromEntries(entries) as Record<Field, string | null>)
    : null;
}
