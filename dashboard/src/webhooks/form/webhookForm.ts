import {
  type FormOf,
  flag,
  type Part,
  type RecordForm,
  recordForm,
  required,
  requiredText,
  text,
} from '../../kernel/recordForm.ts';

export const SCOPE_KINDS = ['project', 'link', 'tag', 'team'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** Whose events are sent; the ids stay while another kind is looked at. */
interface ScopeValue {
  kind: ScopeKind;
  linkId: string;
  tagId: string;
}
interface Scope {
  projectId?: string | null;
  linkId?: string | null;
  tagId?: string | null;
}

/** The scope of a webhook of this project, or of its whole team where there is none. */
const scopeIn = (projectId: string): Part<Scope, ScopeValue> => ({
  read: (scope) => ({
    kind: scope?.linkId ? 'link' : scope?.tagId ? 'tag' : scope ? 'project' : 'team',
    linkId: scope?.linkId ?? '',
    tagId: scope?.tagId ?? '',
  }),
  write: ({ kind, linkId, tagId }) => {
    if (kind === 'link') return { linkId: linkId.trim() };
    if (kind === 'tag') return { tagId };
    return kind === 'project' ? { projectId } : null;
  },
});

/** All types of events, those included that do not exist yet, or some. */
interface TypesValue {
  isAll: boolean;
  types: string[];
}

const eventTypes: Part<string[], TypesValue> = {
  read: (types) => {
    const isAll = !types || types.includes('*');
    return { isAll, types: isAll ? [] : [...types] };
  },
  write: ({ isAll, types }) => (isAll ? ['*'] : types),
};

/** Whether events are sent together; the numbers are as they were typed. */
interface BatchValue {
  isOn: boolean;
  maxEvents: string;
  maxWaitSeconds: string;
}

const batch: Part<{ maxEvents: number; maxWaitSeconds: number }, BatchValue> = {
  // Numbers to begin with, for somebody who switches it on.
  read: (batch) => ({
    isOn: Boolean(batch),
    maxEvents: String(batch?.maxEvents ?? 100),
    maxWaitSeconds: String(batch?.maxWaitSeconds ?? 5),
  }),
  write: ({ isOn, maxEvents, maxWaitSeconds }) =>
    isOn ? { maxEvents: wholeNumber(maxEvents), maxWaitSeconds: wholeNumber(maxWaitSeconds) } : null,
};

/** As many as the server takes where nothing is said. */
const maxInFlight: Part<number, string> = { read: (count) => String(count ?? 10), write: wholeNumber };

// Each is sent of a new webhook, so that what the form shows does not rest on what the server would do without it.
const fieldsIn = (projectId: string) => ({
  url: required(requiredText),
  description: text,
  eventTypes: required(eventTypes),
  scope: required(scopeIn(projectId)),
  includeBots: required(flag(false)),
  batch: required(batch),
  maxInFlight: required(maxInFlight),
});
type Fields = ReturnType<typeof fieldsIn>;

/** A webhook as its form holds it. */
export type WebhookDraft = FormOf<Fields>;

/** Those that show what is wrong with them. */
export const SHOWN = [
  'url',
  'description',
  'eventTypes',
  'scope',
  'batch.maxEvents',
  'batch.maxWaitSeconds',
  'maxInFlight',
];

/** The form of a webhook that is seen in this project. */
export function webhookForm(projectId: string): RecordForm<Fields> {
  return recordForm(fieldsIn(projectId));
}

/** A new webhook: everything of the project. */
export function newWebhook(projectId: string): WebhookDraft {
  const draft = webhookForm(projectId).draftOf(null);
  return { ...draft, scope: { ...draft.scope, kind: 'project' } };
}

/** What is not a number, such as nothing, is refused by the server like one that is too small. */
function wholeNumber(typed: string): number {
  return Math.trunc(Number(typed)) || 0;
}
