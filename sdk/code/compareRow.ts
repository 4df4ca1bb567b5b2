import { isSame } from './compare.ts';
import { normal } from './fields.ts';
import type { Action, Change, Fields, Row, Wanted } from './types.ts';

/** The fields of an entry with all defaults, without those that others may change. */
export function completed(wanted: Wanted, table: Map<string, unknown>): Fields {
  const set: Fields = {};
  for (const [field, fallback] of table) {
    if (!wanted.ignore.includes(field))
      set[field] = Object.hasOwn(wanted.fields, field) ? wanted.fields[field] : fallback;
  }
  // A copy takes a third of the memory of an object that grew.
  return { ...set };
}

/** The fields in which a row of the server differs from what the file wants. */
export function changesOf(set: Fields, row: Row): Change[] {
  return Object.entries(set).flatMap(([field, to]) => {
    const from = row[field] ?? null;
    return isSame(normal(field, from), normal(field, to)) ? [] : [{ field, from, to: to ?? null }];
  });
}

/** An action without anything yet to do, for an entry of the file. */
export function actionFor(verb: Action['verb'], wanted: Wanted, row: Row | null, title: string): Action {
  const { kind, name, file, line } = wanted;
  return { ...bareAction(verb, kind, name, row), title, file, line };
}

/** An action for a row that the file does not name. */
export function actionOn(verb: Action['verb'], kind: Action['kind'], name: string, row: Row, title: string): Action {
  return { ...bareAction(verb, kind, name, row), title };
}

function bareAction(verb: Action['verb'], kind: Action['kind'], name: string, row: Row | null): Action {
  return {
    ...{ verb, kind, name, title: '', id: row?.id ?? null, updatedAt: row?.updated_at ?? null },
    ...{ changes: [], set: {}, password: null, wave: 0, note: null, file: null, line: null },
  };
}

export function conflict(wanted: Wanted, row: Row | null, title: string, note: string): Action {
  return { ...actionFor('conflict', wanted, row, title), note };
}

/** What is said of an adopted row that is not as the file wants it: adoption changes nothing but the owner. */
export function differing(changes: readonly Change[]): string | null {
  const fields = changes.map(({ field }) => field).join(', ');
  return fields === '' ? null : `as it is; the next plan changes ${fields}`;
}

/** How a row belongs to a stack: `own`, `free` for the taking, or another's. */
export type Holder = 'own' | 'free' | 'other';

export interface Ownership {
  owner: string;
  /** The owner that the stack had under an earlier name. */
  formerOwner: string | null;
  mayAdopt: boolean;
}

export function holderOf(row: Row, { owner, formerOwner }: Ownership): Holder {
  if (row.managed_by === owner) return 'own';
  if (row.managed_by === null || row.managed_by === undefined) return 'free';
  return row.managed_by === formerOwner ? 'own' : 'other';
}

/** Why a row that the stack does not own cannot be changed by it; null when it can. */
export function refusalOf(row: Row, ownership: Ownership, what: string): string | null {
  const holder = holderOf(row, ownership);
  if (holder === 'other') return `${what} is managed by ${row.managed_by}; take it out of one of the two.`;
  if (holder === 'free' && !ownership.mayAdopt) return `${what} belongs to nobody's stack; --adopt takes it over`;
  return null;
}
