import type { Click } from '../../../src/clicks/click.ts';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { plainClick } from '../../unit/analytics/clickStore.ts';

const HOUR_MS = 3_600_000;
const WEEKS_BEFORE = 5;
/** Clicks in the busiest hour of the day. */
const AT_NOON = 60;

interface FollowedLink {
  id: string;
  project_id: string;
  domain: string;
  slug: string;
}

/** People who follow a link, by the hour of the day, always with the same chance; five weeks of them lie behind. */
export class HourlyClicks {
  /** Of those who usually come. */
  share = 1;
  readonly #link: FollowedLink;
  #storedMs: number;
  #random = seeded(7);

  private constructor(link: FollowedLink, fromMs: number) {
    this.#link = link;
    this.#storedMs = fromMs;
  }

  static async begin(link: FollowedLink, nowMs: number): Promise<HourlyClicks> {
    const clicks = new HourlyClicks(link, nowMs - WEEKS_BEFORE * 7 * 24 * HOUR_MS);
    await clicks.until(nowMs);
    return clicks;
  }

  /** Those who came up to that moment. */
  async until(nowMs: number): Promise<void> {
    let clicks: Click[] = [];
    while (this.#storedMs < nowMs) {
      // Minutes in which nobody or one person comes, as often as the hour says.
      const atMs = this.#storedMs;
      this.#storedMs += 60_000;
      if (this.#random() < (usual(atMs) / 60) * this.share) clicks.push(this.#clickAt(atMs));
      if (clicks.length < 2000) continue;
      await this.#store(clicks);
      clicks = [];
    }
    await this.#store(clicks);
  }

  #clickAt(atMs: number): Click {
    const { id, project_id, domain, slug } = this.#link;
    return { ...plainClick(project_id, id, atMs), id: newId('clk'), domain, slug, country: 'DE' };
  }

  async #store(clicks: Click[]): Promise<void> {
    if (clicks.length > 0) await storeClicks(clicks, { listening: () => false });
  }
}

function usual(atMs: number): number {
  const hour = new Date(atMs).getUTCHours();
  return AT_NOON * (0.65 + 0.35 * Math.cos(((hour - 12) / 12) * Math.PI));
}

/** Mulberry32: the same numbers with each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
