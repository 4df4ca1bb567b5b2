import { QUARTER_MS } from '../clicks/periods.ts';
import { newId } from '../kernel/ids.ts';

/** Requests for what no link has: one of them, or `count` of a flood, of which the dimensions are not kept. */
export interface Orphan {
  /** Null: of the domain that all projects share. */
  projectId: string | null;
  domain: string;
  /** Null: what was asked for cannot be a slug, or nobody looked. */
  slug: string | null;
  /** Milliseconds since the epoch; of many the first. */
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
  /** Empty where nobody looked: all of these count as one visitor. */
  visitor: string;
}

/** What is written: `id` is given once, so that writing again after a failure counts nothing twice. */
export interface OrphanRow extends Orphan {
  id: string;
  count: number;
}

interface Bounds {
  /** Orphans that are kept one by one in a minute. */
  perMinute: number;
  /** Rows that wait at once. */
  waiting: number;
}

const MINUTE_MS = 60_000;

/** Gathers orphans in bounded memory, however many come and however long nobody takes them. */
export class OrphanTally {
  readonly #bounds: Bounds;
  #rows: OrphanRow[] = [];
  /** By domain, traffic class and quarter of an hour. */
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

  /** At most `limit` rows to write, oldest first. What was only counted comes when no single ones wait before it. */
  take(limit: number): OrphanRow[] {
    if (this.#rows.length < limit) {
      this.#rows = [...this.#rows, ...this.#counted.values()];
      this.#counted.clear();
    }
    return this.#rows.splice(0, limit);
  }

  /** Rows that could not be written. */
  giveBack(rows: OrphanRow[]): void {
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
