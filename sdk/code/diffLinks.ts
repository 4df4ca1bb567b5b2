import {
  actionFor,
  actionOn,
  changesOf,
  completed,
  conflict,
  holderOf,
  type Ownership,
  refusalOf,
} from './compareRow.ts';
import { normal } from './fields.ts';
import { orderByAddress } from './orderByAddress.ts';
import type { Action, Actual, PlanOptions, Row, Stack, Wanted } from './types.ts';

export interface LinkDiff {
  actions: Action[];
  unchanged: number;
  kept: number;
  warnings: string[];
  /** The external ids that links have afterwards, by the ids of their rows. */
  externalIds: Map<string, string>;
}

interface Given {
  stack: Stack;
  actual: Actual;
  options: PlanOptions;
  ownership: Ownership;
  table: Map<string, unknown>;
}

/** What must happen to the links of a stack. */
export function diffLinks(given: Given): LinkDiff {
  return new LinkDiffer(given).run();
}

class LinkDiffer {
  private readonly given: Given;
  private readonly byExternalId = new Map<string, Row>();
  private readonly byAddress = new Map<string, Row>();
  /** Which link of the file each row became. */
  private readonly claimed = new Map<string, Wanted>();
  private readonly from: Map<string, string>;
  private readonly actions: Action[] = [];
  private readonly warnings: string[] = [];
  private unchanged = 0;

  constructor(given: Given) {
    this.given = given;
    for (const row of given.actual.links) {
      if (typeof row.external_id === 'string') this.byExternalId.set(row.external_id, row);
      this.byAddress.set(`${row.domain}/${row.slug}`, row);
    }
    this.from = new Map(given.stack.moved.map(({ from, to }) => [to, from]));
  }

  run(): LinkDiff {
    const wanted = this.given.stack.wanted.filter(({ kind }) => kind === 'link');
    const rows = wanted.map((one) => ({ wanted: one, ...this.find(one) }));
    for (const { wanted: one, row } of rows) if (row && !this.claimed.has(row.id)) this.claimed.set(row.id, one);
    for (const { wanted: one, row, isMoved } of rows) this.decide(one, row, isMoved);
    const { kept, actions } = this.prune();
    const names = new Map([...this.claimed].map(([id, { name }]) => [id, name]));
    const externalIds = new Map([...this.claimed].map(([id, one]) => [id, one.externalId ?? '']));
    const ordered = orderByAddress(this.actions, this.byAddress, names);
    return { actions: [...ordered, ...actions], unchanged: this.unchanged, kept, warnings: this.warnings, externalIds };
  }

  /** The row that a link of the file is about. */
  private find(wanted: Wanted): { row: Row | null; isMoved: boolean } {
    const named = this.byExternalId.get(wanted.externalId ?? '');
    if (named) return { row: named, isMoved: false };
    const moved = this.movedRow(wanted);
    if (moved) return { row: moved, isMoved: true };
    const there = this.byAddress.get(this.addressOf(wanted) ?? '');
    // A row of the same stack is another link, whose name was changed or which gives its address away.
    const isFree = there && holderOf(there, this.given.ownership) !== 'own';
    return { row: isFree ? there : null, isMoved: false };
  }

  private movedRow({ name }: Wanted): Row | null {
    const { stack, options, ownership } = this.given;
    const from = this.from.get(name);
    const former = options.fromStack ? [`${options.fromStack}/${from ?? name}`] : [];
    const ids = from === undefined ? former : [`${stack.name}/${from}`, from, ...former];
    const rows = ids.flatMap((id) => this.byExternalId.get(id) ?? []);
    return rows.find((row) => holderOf(row, ownership) === 'own') ?? null;
  }

  private addressOf({ fields }: Wanted): string | null {
    const { defaultDomain } = this.given.actual.project;
    return typeof fields.slug === 'string'
      ? `${normal('domain', fields.domain ?? defaultDomain)}/${fields.slug}`
      : null;
  }

  private decide(wanted: Wanted, row: Row | null, isMoved: boolean): void {
    const address = this.addressOf(wanted);
    const domain = normal('domain', wanted.fields.domain ?? this.given.actual.project.defaultDomain);
    const title = `${address ?? `${domain}/…`} → ${wanted.fields.destination}`;
    if (row && this.claimed.get(row.id) !== wanted) {
      const other = this.claimed.get(row.id)?.name;
      this.actions.push(conflict(wanted, row, title, `${row.domain}/${row.slug} is "${other}" of the file already`));
      return;
    }
    if (!row) {
      const set = { ...wanted.fields, domain, external_id: wanted.externalId, managed_by: this.given.ownership.owner };
      this.actions.push({ ...actionFor('create', wanted, null, title), set, password: wanted.password });
      return;
    }
    const refusal = refusalOf(row, this.given.ownership, `${row.domain}/${row.slug}`);
    if (refusal) this.actions.push(conflict(wanted, row, title, refusal));
    else this.compare(wanted, row, isMoved, title);
  }

  private compare(wanted: Wanted, row: Row, isMoved: boolean, title: string): void {
    const { options, ownership, stack, table } = this.given;
    const set = this.wantedFields(wanted, table);
    const changes = changesOf(set, row);
    const action = actionFor('change', wanted, row, title);
    if (row.archived_at) {
      changes.push({ field: 'archived', from: true, to: false });
      set.archived = false;
    }
    const secret = passwordChange(wanted, row, options.updateSecrets ?? false);
    if (secret) {
      changes.push(secret);
      if (secret.to === 'unset') set.password = null;
      else action.password = wanted.password;
    }
    if (row.status === 'flagged')
      this.warnings.push(
        `link ${wanted.name} is flagged${row.flag_reason ? ` (${row.flag_reason})` : ''} and stays so`,
      );
    const isAdopted = row.managed_by !== ownership.owner && holderOf(row, ownership) === 'free';
    const isOwn = row.managed_by === ownership.owner && row.external_id === wanted.externalId;
    if (isOwn && changes.length === 0) {
      this.unchanged += 1;
      return;
    }
    const note = isMoved ? String(row.external_id).replace(`${stack.name}/`, '') : null;
    const verb = isMoved || (!isOwn && !isAdopted) ? 'move' : isAdopted ? 'adopt' : 'change';
    if (isAdopted && row.external_id && row.external_id !== wanted.externalId)
      changes.push({ field: 'external_id', from: row.external_id, to: wanted.externalId });
    const identity = { external_id: wanted.externalId, managed_by: ownership.owner };
    const renames = row.external_id !== wanted.externalId;
    this.actions.push({ ...action, verb, changes, set: { ...set, ...identity }, renames, note });
  }

  /** Every field, so that a link that was deleted in between is made anew as a whole. A slug is generated only once. */
  private wantedFields(wanted: Wanted, table: Map<string, unknown>) {
    const set = completed(wanted, table);
    const { ignore, fields } = wanted;
    if (!ignore.includes('domain'))
      set.domain = normal('domain', fields.domain ?? this.given.actual.project.defaultDomain);
    if (!ignore.includes('slug') && fields.slug !== undefined) set.slug = fields.slug;
    return set;
  }

  /** What the stack owns and the file does not name. */
  private prune(): { kept: number; actions: Action[] } {
    const { actual, ownership, options, stack } = this.given;
    const prune = options.prune ?? null;
    const gone = actual.links.filter(({ id, managed_by }) => managed_by === ownership.owner && !this.claimed.has(id));
    const active = gone.filter((row) => !row.archived_at);
    if (!prune) return { kept: active.length, actions: [] };
    const actions = (prune === 'delete' ? gone : active).map((row) => {
      const name = String(row.external_id ?? row.slug).replace(`${stack.name}/`, '');
      return actionOn(prune, 'link', name, row, `${row.domain}/${row.slug}`);
    });
    return { kept: 0, actions: actions.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }
}

/** Of passwords nobody can tell more than whether there is one. */
function passwordChange({ password, ignore }: Wanted, row: Row, isAnew: boolean) {
  if (ignore.includes('password')) return null;
  const isSet = row.password_protected === true;
  if (isSet === (password !== null) && !(isSet && isAnew)) return null;
  return {
    field: 'password',
    from: isSet ? 'set' : 'unset',
    to: password === null ? 'unset' : isSet ? 'set anew' : 'set',
  };
}
