import { takeTurns } from '../kernel/concurrency.ts';
import { config } from '../kernel/config.ts';
import { CodedError } from '../kernel/errors.ts';

/** One team holds at most this part of what all teams share, and so does one person with several teams. */
const PART = 10;
/** When a stream or a piece of work ends is not known, so clients ask again soon. */
const RETRY_SECONDS = 5;

/** Something that all teams share. */
interface Shared {
  /** What is held, as the refusal names it. */
  what: string;
  /** Places in one process; where teams take turns, places to wait in. */
  places: () => number;
  /** How many pieces of work run at a time, where teams take turns. */
  turns?: number;
  /** Whose places are counted. */
  counts: readonly ('team' | 'person')[];
}

/**
 * Everything that teams share and that one of them could use up. A holder keeps its place, and a team has at most a tenth
 * of them. With `turns`, teams take turns, and a team has at most a tenth of the places to wait in. Four things have rules of
 * their own, which leave more to others: requests to webhooks (`src/webhooks/worker/Slots.ts`), archives (one of a team and
 * one of a person: `src/archive/archiveService.ts`), pages that are read (`src/links/pageService.ts`), and imports (one of a
 * team at a time: `src/imports/importClaims.ts`).
 */
export const SHARED = {
  clickStreams: { what: 'live streams', places: () => config.liveConnections, counts: ['team', 'person'] },
  eventStreams: { what: 'streams of events', places: () => config.liveConnections, counts: ['team'] },
  assistantStreams: { what: 'streams of assistants', places: () => config.liveConnections, counts: ['team'] },
  // Each is a process.
  plans: { what: 'waiting plans of links as code', places: () => 40, turns: 2, counts: ['team'] },
  // A check or a hash takes some 20 ms of a core, so that the last of 64 waits for a second or two. A team has at most twenty
  // calls here, and each of them hashes one password at a time.
  passwordHashes: { what: 'calls that wait for passwords to be hashed', places: () => 190, turns: 1, counts: ['team'] },
  passwordChecks: {
    what: 'visitors who wait for a password to be checked',
    places: () => 640,
    turns: 1,
    counts: ['team'],
  },
  healthRuns: { what: 'projects that wait for their health checks', places: () => 200, turns: 20, counts: ['team'] },
} as const satisfies Record<string, Shared>;

export type SharedName = keyof typeof SHARED;

/** Who holds a place. `personId`: null for keys, which belong to their team. */
export interface Holder {
  teamId: string;
  personId?: string | null;
}

/** How many places one team, or one person, may hold. */
export function shareOf(name: SharedName): number {
  return Math.max(1, Math.floor(SHARED[name].places() / PART));
}

/** The refusal of a team, or a person, that holds its share. */
export function shareUsedUp(name: SharedName, who: 'team' | 'person'): CodedError {
  const { what, ...more }: Shared = SHARED[name];
  const whose = who === 'team' ? 'Your team has' : 'You have';
  // Work ends by itself, a stream when it is closed.
  const remedy = more.turns === undefined ? 'Close one, or try again later.' : 'Try again in a few seconds.';
  return new CodedError('rate_limited', `${whose} ${shareOf(name)} ${what}, the most for one ${who}. ${remedy}`, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The turns of teams at work of this kind; see `takeTurns`. */
export function turnsOf(name: 'plans' | 'passwordHashes' | 'passwordChecks' | 'healthRuns') {
  const { turns, places } = SHARED[name];
  const limitOfOwner = Math.max(1, Math.floor(turns / PART));
  return takeTurns({ limit: turns, limitOfOwner, maxWaiting: places(), maxWaitingOfOwner: shareOf(name) });
}

/** The places of one process for something that requests hold for long, such as streams. */
export class Places {
  readonly #name: SharedName;
  readonly #held = new Map<object, Holder>();

  constructor(name: SharedName) {
    this.#name = name;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes a place for `key`, until `leave`. Throws `rate_limited` where the team or the person holds a tenth of all, and
   * `unavailable` where all are taken.
   */
  take(key: object, holder: Holder): void {
    const share = shareOf(this.#name);
    const holders = [...this.#held.values()];
    if (holders.filter(({ teamId }) => teamId === holder.teamId).length >= share) throw shareUsedUp(this.#name, 'team');
    const { personId } = holder;
    if (personId && holders.filter((other) => other.personId === personId).length >= share)
      throw shareUsedUp(this.#name, 'person');
    const { what, places } = SHARED[this.#name];
    if (holders.length >= places())
      throw new CodedError('unavailable', `There are too many ${what}. Try again later.`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
    this.#held.set(key, holder);
  }

  leave(key: object): void {
    this.#held.delete(key);
  }
}
