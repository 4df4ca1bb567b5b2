import type { KeysetPosition, Search } from '../db/paging.ts';
import type { ProjectRows } from '../db/projectRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Span } from './bursts/Trail.ts';
import type { Click } from './click.ts';
import type { CollectedClick } from './clickEvent.ts';
import type { ClickSearch, FoundClick } from './clickListStore.ts';
import type { IsListening } from './clickStore.ts';

/** Where clicks stand in a journal. */
export interface Place {
  /** What names the segment wherever its file lies: the id of its first click. */
  segment: string;
  /** The number of each click's line. */
  lines: readonly number[];
  /** The number of lines up to the end of the chunk, damaged ones included. */
  end: number;
  /** The name of the journal in the store, if it is known. */
  journal?: string | null;
}

/** What the detector of bursts reads of a click. */
export interface AddressClick {
  id: string;
  projectId: string;
  linkId: string;
  addressHash: string;
  occurredAt: number;
  isHuman: boolean;
}

/** `which`: clicks of people, or also those that were taken for people until a burst was found. */
export interface AddressSearch {
  projectIds: readonly string[];
  span: Span;
  /** Null: all. */
  addressHashes: readonly string[] | null;
  which: 'human' | 'observed';
  order: 'oldest' | 'newest';
  most: number;
}

/** What an opening of an app takes over from the click that led to it. */
export interface OriginClick {
  id: string;
  projectId: string;
  addressHash: string;
  occurredAt: number;
  referrerHost: string | null;
  destination: string | null;
  rule: string | null;
  utm: Click['utm'];
}

/** A click with what an event shows of it, and why it is in its class. */
export type ReadClick = CollectedClick & { traffic_reason: string | null };

/**
 * Where single clicks are kept: in the store of everything else, or in ClickHouse. Counts of links, clicks for matching and the
 * events of clicks are in the store in either case, and each click is counted there once. Figures for analytics are read by
 * src/analytics. While the place of clicks is away, every function throws an error for which `isStoreDown` holds.
 */
export interface ClickStore {
  /** Lines of a journal that are stored together. */
  readonly linesPerChunk: number;
  /** Stores a chunk of a journal with all its counts, and returns how many clicks are counted now that were not before. */
  storeChunk(clicks: readonly Click[], listening: IsListening, place: Place): Promise<number>;
  /** The ids of those clicks of a chunk that are counted already. */
  storedAmong(clicks: readonly Click[], place: Place): Promise<Set<string>>;
  /** Stores clicks with a transaction of the store. `unlimited`: ids of clicks that do not count against a click limit. */
  write(
    clicks: readonly Click[],
    listening: IsListening,
    transaction: Transaction,
    unlimited: ReadonlySet<string>,
  ): Promise<void>;
  /** Takes the oldest clicks that wait for their events, at most `count`. The transaction makes the events. */
  claimAwaited(count: number, transaction: Transaction): Promise<CollectedClick[]>;
  /** The newest clicks of a search after a position: see `searchClicks`. */
  search(search: ClickSearch, after: KeysetPosition | null, count: number): Promise<Search<FoundClick>>;
  /** Ids of the project's newest clicks since that moment, newest first; prefetches are left out. */
  newestIds(projectId: string, sinceMs: number, limit: number): Promise<string[]>;
  /** These clicks, oldest first. */
  read(projectId: string, ids: readonly string[]): Promise<ReadClick[]>;
  /** Those of these clicks that are there. */
  readOrigins(ids: readonly string[], projectIds: readonly string[], transaction: Transaction): Promise<OriginClick[]>;
  readAddresses(search: AddressSearch): Promise<AddressClick[]>;
  /** The time of the newest click of each project that has not been deleted. */
  newestTimes(): Promise<Map<string, number>>;
  /**
   * Re-classes clicks of people as ones of a burst and corrects all their counts; returns how many there were. Clicks of another
   * class and missing ones are skipped, so a repeated call changes nothing.
   */
  reclass(clicks: readonly { id: string; projectId: string; occurredAt: number }[]): Promise<number>;
  /** A page of a project's clicks for an archive, newest first. */
  readArchived(projectId: string, after: KeysetPosition | null, count: number): Promise<ProjectRows>;
  /** Deletes the clicks of a project for good that are outside of the store. */
  forgetProject(projectId: string): Promise<void>;
  /** Whether clicks of the project are outside of the store. */
  hasClicksOutside(projectId: string): Promise<boolean>;
}
