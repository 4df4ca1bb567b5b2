import { QUARTER_MS } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';

/** A request for an address that no link has. */
export interface Orphan {
  /** Null: the domain is shared by all projects. */
  projectId: string | null;
  domain: string;
  /** Null: the path cannot be a slug, or the request was only counted. */
  slug: string | null;
  /** Milliseconds since the epoch; of the first request if there are several. */
  occurredAt: number;
  trafficClass: string;
  country: string | null;
  region: string | null;
  city: string | null;
  platform: string | null;
  device: string | null;
  browser: string | null;
  language: string | null;
  referrerHost: string | null;
  /** Empty if the request was only counted: all of these count as one visitor. */
  visitor: string;
}

/** One request, or `count` requests of a flood without their dimensions. The `id` makes writing again after a failure safe. */
export interface OrphanRow extends Orphan {
  id: string;
  count: number;
}

interface Bounds {
  /** Orphans a minute that are kept as rows of their own. */
  perMinute: number;
  /** Rows that wait to be written. */
  waiting: number;
}

const MINUTE_MS = 60_000;

/** Collects orphans in bounded memory, however many there are and however long the store is down. */
export class OrphanTally {
  readonly #bounds: Bounds;
  #rows: OrphanRow[] = [];
  /** Rows that only count, by domain, traffic class and quarter of an hour. */
  readonly #counted = new Map<string, OrphanRow>();
  #minute = Number.NaN;
  #keptThisMinute = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  add(orphan: Orphan): void {
    if (this.#mayKeep(orphan.occurredAt)) this.#rows.push({ ...orphan, id: newId('orp'), count: 1 });
    else this.#count(orphan);
  }

  /** Removes and returns at most `limit` rows, oldest first. Counting rows come once few enough others are left. */
  take(limit: number): OrphanRow[] {
    if (this.#rows.length < limit) {
      this.#rows = [...this.#rows, ...this.#counted.values()];
      this.#counted.clear();
    }
    return this.#rows.splice(0, limit);
  }

  /** Takes back rows that could not be written. */
  requeue(rows: OrphanRow[]): void {
    this.#rows = [...rows, ...this.#rows];
  }

  #mayKeep(atMs: number): boolean {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#keptThisMinute = 0;
    }
    if (this.#keptThisMinute >= this.#bounds.perMinute || this.#rows.length >= this.#bounds.waiting) return false;
    this.#keptThisMinute += 1;
    return true;
  }

  #count(orphan: Orphan): void {
    const { projectId, domain, trafficClass, occurredAt } = orphan;
    const key = `${domain} ${trafficClass} ${Math.floor(occurredAt / QUARTER_MS)}`;
    const row = this.#counted.get(key);
    if (row) row.count += 1;
    else
      this.#counted.set(key, { ...UNKNOWN, id: newId('orp'), count: 1, projectId, domain, trafficClass, occurredAt });
  }
}

const UNKNOWN = {
  slug: null,
  country: null,
  region: null,
  city: null,
  platform: null,
  device: null,
  browser: null,
  language: null,
  referrerHost: null,
  visitor: '',
};
