import {
  actionFor,
  actionOn,
  changesOf,
  completed,
  conflict,
  differing,
  holderOf,
  type Ownership,
  refusalOf,
} from './compareRow.ts';
import { normal } from './fields.ts';
import { orderByAddress } from './orderByAddress.ts';
import type { Action, Actual, Change, Fields, PlanOptions, Row, Stack, Wanted } from './types.ts';

export interface LinkDiff {
  actions: Action[];
  unchanged: number;
  kept: number;
  warnings: string[];
  /** The external id that the link with this id has afterwards. */
  externalIdOf(id: string): string | undefined;
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

/** The row that a link of the file is about, and whether it had another name. */
interface Found {
  row: Row;
  isMoved: boolean;
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
    const rows = new Map<Wanted, Found>();
    const claim = (one: Wanted, row: Row | null, isMoved = false) => {
      if (!row || this.claimed.has(row.id)) return;
      this.claimed.set(row.id, one);
      rows.set(one, { row, isMoved });
    };
    for (const one of wanted) claim(one, this.byExternalId.get(one.externalId ?? '') ?? null);
    for (const one of wanted) if (!rows.has(one)) claim(one, this.movedRow(one), true);
    // At last by the address: a link of this stack that the file names otherwise now is still that link.
    for (const one of wanted) {
      if (rows.has(one)) continue;
      const row = this.byAddress.get(this.addressOf(one) ?? '') ?? null;
      claim(one, row, row !== null && holderOf(row, this.given.ownership) === 'own');
    }
    for (const one of wanted) this.decide(one, rows.get(one));
    const { kept, actions } = this.prune();
    const ordered = orderByAddress(this.actions, this.byAddress, (id) => this.claimed.get(id)?.name);
    return {
      actions: [...ordered, ...actions],
      unchanged: this.unchanged,
      kept,
      warnings: this.warnings,
      externalIdOf: (id) => this.claimed.get(id)?.externalId ?? undefined,
    };
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

  private decide(wanted: Wanted, found: Found | undefined): void {
    const address = this.addressOf(wanted);
    const domain = normal('domain', wanted.fields.domain ?? this.given.actual.project.defaultDomain);
    const title = `${address ?? `${domain}/…`} → ${wanted.fields.destination}`;
    if (!found) {
      const set = { ...wanted.fields, domain, external_id: wanted.externalId, managed_by: this.given.ownership.owner };
      this.actions.push({ ...actionFor('create', wanted, null, title), set, password: wanted.password });
      return;
    }
    const { row, isMoved } = found;
    const refusal =
      refusalOf(row, this.given.ownership, `${row.domain}/${row.slug}`) ?? this.refusedAdoption(wanted, row, address);
    if (refusal) this.actions.push(conflict(wanted, row, title, refusal));
    else this.compare(wanted, row, isMoved, title);
  }

  /** Why a link that nobody manages is not adopted: another one may be meant, or it has a name by which others know it. */
  private refusedAdoption({ externalId }: Wanted, row: Row, address: string | null): string | null {
    if (holderOf(row, this.given.ownership) !== 'free') return null;
    const there = address === null ? undefined : this.byAddress.get(address);
    if (there && there.id !== row.id)
      return `${row.id} has the external_id ${externalId}, and ${there.id} the address ${address}; only one of them can be this link`;
    if (row.external_id && row.external_id !== externalId)
      return `${row.domain}/${row.slug} has the external_id ${row.external_id}; write external_id: ${row.external_id} to take it over`;
    return null;
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
    const identity = { external_id: wanted.externalId, managed_by: ownership.owner };
    if (isAdopted) {
      this.actions.push({ ...actionFor('adopt', wanted, row, title), set: identity, note: differing(changes) });
      return;
    }
    const note = isMoved ? String(row.external_id).replace(`${stack.name}/`, '') : null;
    this.actions.push({
      ...action,
      verb: isMoved || !isOwn ? 'move' : 'change',
      title: '',
      changes,
      set: { ...sentFields(changes, set, row), ...identity },
      note,
    });
  }

  /** Every field that is compared. A slug is generated only once. */
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

/** What differs. An address is sent as a whole. */
function sentFields(changes: Change[], set: Fields, row: Row): Fields {
  const sent = Object.fromEntries(changes.filter(({ field }) => field in set).map(({ field }) => [field, set[field]]));
  const isElsewhere = 'domain' in sent || 'slug' in sent;
  return isElsewhere ? { ...sent, domain: set.domain ?? row.domain, slug: set.slug ?? row.slug } : sent;
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
