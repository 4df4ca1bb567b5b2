import { isPlain } from './compare.ts';
import {
  actionFor,
  actionOn,
  changesOf,
  completed,
  conflict,
  differing,
  type Ownership,
  refusalOf,
} from './compareRow.ts';
import { tagKey } from './sections.ts';
import type { Action, Actual, Fields, Kind, PlanOptions, Row, Stack, Wanted } from './types.ts';

export interface OtherDiff {
  actions: Action[];
  unchanged: number;
  kept: number;
  warnings: string[];
}

interface Given {
  stack: Stack;
  actual: Actual;
  options: PlanOptions;
  ownership: Ownership;
  table: Map<string, unknown>;
}

/** How a kind is found and what it is called. */
interface KindRules {
  rows: Row[];
  /** The rows that an entry may be about; more than one is a conflict. `claimed` are the ids of those of earlier entries. */
  find(wanted: Wanted, claimed: ReadonlySet<string>): Row[];
  nameOf(row: Row): string;
  titleOf(wanted: Wanted): string;
  /** What cannot be changed; null when nothing is wrong. */
  refusal?(wanted: Wanted, row: Row): string | null;
  /** The fields beyond those of the table. */
  extra?(wanted: Wanted): Fields;
  /** The row as the file would spell it. */
  shown?(row: Row): Row;
  /** What becomes of a row that the file does not name; null when nothing is left to do. */
  prune(row: Row, how: 'archive' | 'delete'): Action['verb'] | null;
  isGone?(row: Row): boolean;
}

function diffKind(kind: Kind, given: Given, rules: KindRules): OtherDiff {
  const { stack, ownership, options, table } = given;
  const diff: OtherDiff = { actions: [], unchanged: 0, kept: 0, warnings: [] };
  const claimed = new Set<string>();
  for (const wanted of stack.wanted) {
    if (wanted.kind !== kind) continue;
    const [row, ...rivals] = rules.find(wanted, claimed);
    const title = rules.titleOf(wanted);
    if (row && rivals.length > 0) {
      diff.actions.push(conflict(wanted, null, title, rivalry(kind, [row, ...rivals], wanted)));
      continue;
    }
    if (row) claimed.add(row.id);
    if (!row) {
      const set = { ...wanted.fields, ...rules.extra?.(wanted), managed_by: ownership.owner };
      diff.actions.push({ ...actionFor('create', wanted, null, title), set });
      continue;
    }
    const refusal = refusalOf(row, ownership, `${kind} ${rules.nameOf(row)}`) ?? rules.refusal?.(wanted, row) ?? null;
    if (refusal) {
      diff.actions.push(conflict(wanted, row, title, refusal));
      continue;
    }
    const set = { ...completed(wanted, table), ...rules.extra?.(wanted) };
    const changes = changesOf(set, rules.shown?.(row) ?? row).filter(({ field }) => field !== 'external_id');
    const isOwn = row.managed_by === ownership.owner;
    const hasIdentity = wanted.externalId === null || row.external_id === wanted.externalId;
    if (isOwn && hasIdentity && changes.length === 0) diff.unchanged += 1;
    else if (!isOwn && row.managed_by === null) {
      diff.actions.push({
        ...actionFor('adopt', wanted, row, title),
        set: { ...(wanted.externalId === null ? {} : { external_id: wanted.externalId }), managed_by: ownership.owner },
        note: differing(changes),
      });
    } else {
      const verb = isOwn && hasIdentity ? 'change' : 'move';
      diff.actions.push({
        ...actionFor(verb, wanted, row, title),
        changes,
        set: { ...set, managed_by: ownership.owner },
      });
    }
  }
  const gone = rules.rows.filter(({ id, managed_by }) => managed_by === ownership.owner && !claimed.has(id));
  for (const row of gone) {
    if (!options.prune) diff.kept += rules.isGone?.(row) ? 0 : 1;
    const verb = options.prune ? rules.prune(row, options.prune) : null;
    if (verb) diff.actions.push(actionOn(verb, kind, rules.nameOf(row), row, ''));
  }
  return diff;
}

/** What must happen to the tags of a stack. */
export function diffTags(given: Given): OtherDiff {
  const byKey = new Map(given.actual.tags.map((row) => [tagKey(String(row.name)), row]));
  return diffKind('tag', given, {
    rows: given.actual.tags,
    find: ({ name }) => some(byKey.get(tagKey(name))),
    nameOf: (row) => String(row.name),
    titleOf: ({ fields }) => (fields.color ? String(fields.color) : ''),
    extra: ({ name }) => ({ name }),
    // Deleting a tag takes it from links of others, too.
    prune: (row, how) => (how === 'delete' && row.is_ours === true ? 'delete' : 'release'),
  });
}

/** What must happen to the domains of a stack. They are made and configured, never verified or deleted. */
export function diffDomains(given: Given): OtherDiff {
  const byName = new Map(given.actual.domains.map((row) => [String(row.hostname), row]));
  const diff = diffKind('domain', given, {
    rows: given.actual.domains,
    find: ({ name }) => some(byName.get(name)),
    nameOf: (row) => String(row.hostname),
    titleOf: ({ fields }) => String(fields.kind ?? 'link'),
    extra: (wanted) => (byName.has(wanted.name) ? {} : { hostname: wanted.name }),
    refusal: ({ fields }, row) =>
      (fields.kind ?? 'link') === row.kind
        ? null
        : `is a domain of kind ${row.kind}, which cannot be changed; delete it first`,
    prune: () => 'release',
  });
  for (const wanted of given.stack.wanted) {
    const row = wanted.kind === 'domain' ? byName.get(wanted.name) : undefined;
    if (wanted.kind !== 'domain' || row?.status === 'verified') continue;
    diff.warnings.push(
      `domain ${wanted.name} ${row ? `is ${row.status}` : 'must be verified first'}: links on it work once it is verified`,
    );
  }
  return diff;
}

/** What must happen to the webhooks of a stack. `externalIdOf` gives those of links by their ids. */
export function diffWebhooks(given: Given, externalIdOf: ExternalIdOf): OtherDiff {
  const { webhooks, tags } = given.actual;
  const byExternalId = new Map(
    webhooks.flatMap((row) => (typeof row.external_id === 'string' ? [[row.external_id, row]] : [])),
  );
  const tagNames = new Map(tags.map((row) => [row.id, String(row.name)]));
  const linkIds = new Map(
    given.stack.wanted.flatMap(({ kind, name, externalId }) => (kind === 'link' ? [[name, externalId ?? '']] : [])),
  );
  const { formerOwner } = given.ownership;
  const formerId = ({ name }: Wanted) => (formerOwner ? `${formerOwner.replace('code:', '')}/${name}` : '');
  return diffKind('webhook', given, {
    rows: webhooks,
    find(wanted, claimed) {
      const named = byExternalId.get(wanted.externalId ?? '') ?? byExternalId.get(formerId(wanted));
      return named ? [named] : freeByUrl(webhooks, wanted, claimed);
    },
    nameOf: (row) => String(row.external_id ?? row.url).replace(`${given.stack.name}/`, ''),
    titleOf: ({ fields }) => String(fields.url),
    extra: ({ externalId, fields, ignore }) => ({
      external_id: externalId,
      ...(ignore.includes('scope') ? {} : { scope: scopeOf(fields.scope, linkIds) }),
      ...(ignore.includes('enabled') ? {} : { enabled: true }),
    }),
    // Only people disable by hand; of failures the receiver is the cause, not the file.
    shown: (row) => ({
      ...row,
      scope: shownScope(row.scope, tagNames, externalIdOf),
      enabled: !(row.status === 'disabled' && row.disabled_reason === 'manual'),
    }),
    prune: (row, how) => (how === 'delete' ? 'delete' : row.status === 'disabled' ? null : 'archive'),
    isGone: (row) => row.status === 'disabled',
  });
}

/** Webhooks that nobody manages or names and that have this URL. */
function freeByUrl(webhooks: Row[], { fields }: Wanted, claimed: ReadonlySet<string>): Row[] {
  return webhooks.filter(
    ({ id, url, managed_by, external_id }) =>
      url === fields.url && managed_by === null && !external_id && !claimed.has(id),
  );
}

/** What to do where an entry may be about several rows: nobody can tell which of them it means. */
function rivalry(kind: Kind, rows: Row[], { externalId }: Wanted): string {
  const ids = rows.map(({ id, status }) => (status ? `${id} (${status})` : id)).join(' and ');
  return `${ids} may both be this ${kind}; give the one that is meant the external_id ${externalId}`;
}

function some(row: Row | undefined): Row[] {
  return row ? [row] : [];
}

/** The scope by the key of its tag, or the external id of its link. */
function scopeOf(scope: unknown, linkIds: Map<string, string>): Fields | null {
  if (!isPlain(scope)) return null;
  if (typeof scope.tag === 'string') return { tag: tagKey(scope.tag) };
  return typeof scope.link === 'string' ? { link: linkIds.get(scope.link) ?? scope.link } : null;
}

type ExternalIdOf = (id: string) => string | undefined;

function shownScope(scope: unknown, tagNames: Map<string, string>, externalIdOf: ExternalIdOf): Fields | null {
  if (!isPlain(scope)) return null;
  if (typeof scope.tag_id === 'string') return { tag: tagKey(tagNames.get(scope.tag_id) ?? scope.tag_id) };
  return typeof scope.link_id === 'string' ? { link: externalIdOf(scope.link_id) ?? scope.link_id } : null;
}
