import { type FieldProblem, pathOf } from '../../kernel/GraphqlError.ts';
import type { JsonObject, ResultOf } from '../../kernel/graphql.ts';
import {
  type FormOf,
  type InputOf,
  moment,
  number,
  objectPart,
  type Part,
  recordForm,
  required,
  requiredText,
  text,
  texts,
} from '../../kernel/recordForm.ts';
import type { LINK_TO_EDIT } from './operations.ts';
import { routingPart } from './routing.ts';

export const UTM_FIELDS = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmField = (typeof UTM_FIELDS)[number];

/** JSON as it is written. */
const dataPart: Part<JsonObject, string> = {
  read: (data) => (data && Object.keys(data).length > 0 ? JSON.stringify(data, null, 2) : ''),
  write: (written) => parsedData(written) ?? {},
};

const CARD = { title: text, description: text, imageUrl: text };
const FIELDS = {
  destination: required(requiredText),
  domain: text,
  slug: requiredText,
  tags: texts,
  title: text,
  notes: text,
  utm: objectPart({ source: text, medium: text, campaign: text, term: text, content: text }),
  routing: routingPart,
  data: dataPart,
  preview: objectPart(CARD),
  startsAt: moment,
  expiresAt: moment,
  clickLimit: number,
  expiredDestination: text,
  matchWindowSeconds: number,
  externalId: text,
};
const LINK = recordForm(FIELDS);

/** A link as the form holds it: texts of its fields, and the routing as a tree. */
export type Draft = FormOf<typeof FIELDS> & {
  /** A new one; empty: none, or the one that is set already. */
  password: string;
  removesPassword: boolean;
  /** The version of the link that is edited; kept with the changes, so that a draft does not pass for one of a later version. */
  basedOn: string;
};

export type LinkToEdit = NonNullable<ResultOf<typeof LINK_TO_EDIT>['link']>;
type LinkInput = InputOf<typeof FIELDS> & { password?: string | null };

export function emptyDraft(domain: string): Draft {
  return { ...draftOf(null), domain };
}

/** The form of a link that exists; null: of a new one. */
export function draftOf(link: Partial<LinkToEdit> | null): Draft {
  return { ...LINK.draftOf(link), password: '', removesPassword: false, basedOn: link?.updatedAt ?? '' };
}

/** A link like this one, at a slug of its own. */
export function duplicateOf({ slug: _, externalId: __, ...link }: LinkToEdit): Draft {
  return draftOf(link);
}

/** Whether the link has a card of its own, instead of that of its destination. */
export function hasCard({ preview }: Draft): boolean {
  return (Object.keys(CARD) as (keyof typeof CARD)[]).some((field) => preview[field] !== '');
}

/** A draft as it may be kept. */
export function withoutPassword<Values extends Partial<Draft>>(draft: Values): Values {
  return 'password' in draft ? { ...draft, password: '' } : draft;
}

/** All of a link, for one that is created. */
export function inputOf(draft: Draft): LinkInput & { destination: string } {
  return { ...LINK.inputOf(draft), ...passwordOf(draft) } as LinkInput & { destination: string };
}

/** What was changed of a link that exists. */
export function changesOf(draft: Draft): LinkInput {
  return { ...LINK.changesOf(draft), ...passwordOf(draft) };
}

/** Left out where it stays as it is. */
function passwordOf({ password, removesPassword }: Draft): Pick<LinkInput, 'password'> {
  if (password) return { password };
  return removesPassword ? { password: null } : {};
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
