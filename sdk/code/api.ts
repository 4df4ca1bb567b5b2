import type { Fields, Row } from './types.ts';

/** The result of one row of a bulk call. */
export interface BulkResult {
  index: number;
  status: string;
  error: { code: string; message: string; fields?: { path: string; message: string }[] } | null;
}

/** The project of the key. */
export interface CurrentProject {
  id: string;
  name: string;
  defaultDomain: string;
}

export interface LinkFilter {
  managed_by?: string;
  domain?: string;
  tag?: string;
}

export interface Rehearsal {
  dryRun?: boolean;
}

/** What the engine asks of a server; `apiOf` makes one of a client. Refusals are errors with a `code`. */
export interface CodeApi {
  /** Up to so many links are looked up one by one; for more, all links of their domains are read. */
  readonly maxLookups: number;
  project(): Promise<CurrentProject>;
  /** All links that match, one after another. */
  exportLinks(filter: LinkFilter): AsyncIterable<Row>;
  /** The link with this external id or address; null if there is none. */
  findLink(by: { external_id: string } | { domain: string; slug: string }): Promise<Row | null>;
  countLinks(tag: string): Promise<number>;
  list(kind: 'tag' | 'domain' | 'webhook', filter?: { managed_by?: string }): Promise<Row[]>;
  create(kind: 'tag' | 'domain' | 'webhook', body: Fields, options?: Rehearsal): Promise<Row>;
  update(kind: 'tag' | 'domain' | 'webhook', id: string, body: Fields, options?: Rehearsal): Promise<Row>;
  remove(kind: 'tag' | 'webhook', id: string, options?: Rehearsal): Promise<void>;
  /** Enables or disables a webhook. */
  turn(id: string, to: 'enable' | 'disable', options?: Rehearsal): Promise<void>;
  /** Creates or changes links by their external ids; those with an `id` get that external id. */
  putLinks(links: Fields[], options?: Rehearsal): Promise<BulkResult[]>;
  /** Makes the same change to links. */
  patchLinks(ids: string[], set: Fields, options?: Rehearsal): Promise<BulkResult[]>;
  removeLinks(ids: string[], options?: Rehearsal): Promise<BulkResult[]>;
}
