import { DEFAULT_IN_FLIGHT } from '../../models/Webhook.ts';

/** Who asks for a slot. */
export interface Asker {
  webhookId: string;
  teamId: string;
  /** Requests in flight to the webhook at once. */
  most: number;
}

/** A team may hold three times of what is left free: three quarters of all when it is alone. */
const TEAM_TO_FREE = 3;
/** This part of all is for teams that hold none. */
const RESERVE = 0.1;

/**
 * The requests that a process makes at once, shared out so that nobody's slow receivers use them up. As long as half of
 * all are free a webhook gets what it may have; the fewer are free, the fewer it and its team may hold, so that there is
 * one left for who has none. Switches share the memory of their ports like this: dynamic thresholds (Choudhury and
 * Hahne, 1998).
 */
export class Slots {
  readonly #total: number;
  readonly #byWebhook = new Map<string, number>();
  readonly #byTeam = new Map<string, number>();
  readonly #waiting = new Map<string, { asker: Asker; call: () => void }>();
  #free: number;

  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  get inUse(): number {
    return this.#total - this.#free;
  }

  /** How many the asker could take now. A webhook that has none gets one as long as not only the reserve is free. */
  open(asker: Asker): number {
    const byWebhook = this.#byWebhook.get(asker.webhookId) ?? 0;
    const byTeam = this.#byTeam.get(asker.teamId) ?? 0;
    if (byTeam === 0 && this.#shared === 0) return Math.min(1, this.#free);
    const forTeam = Math.floor((TEAM_TO_FREE * this.#shared - byTeam) / (TEAM_TO_FREE + 1));
    const first = byWebhook === 0 ? 1 : 0;
    const left = Math.min(this.#shared, asker.most - byWebhook);
    return Math.max(0, Math.min(left, Math.max(first, Math.min(this.#forWebhook(asker.most, byWebhook), forTeam))));
  }

  /**
   * Up to ten, while half of all are free; fewer then. More than ten only of what is free beyond that half, and no more than
   * is left of it: else ten webhooks that may have a hundred and hang would hold up everybody's.
   */
  #forWebhook(most: number, byWebhook: number): number {
    const usual = Math.min(most, DEFAULT_IN_FLIGHT);
    const upToUsual = Math.min(usual, Math.ceil((2 * usual * this.#shared) / this.#total)) - byWebhook;
    if (upToUsual < usual - byWebhook || most <= DEFAULT_IN_FLIGHT) return upToUsual;
    const extra = Math.max(0, byWebhook - usual);
    return Math.max(0, upToUsual) + Math.max(0, Math.floor((this.#shared - this.#total / 2 - extra) / 2));
  }

  /** What is free beyond the reserve. */
  get #shared(): number {
    return Math.max(0, this.#free - Math.ceil(this.#total * RESERVE));
  }

  /** Takes a slot, if there is one for the asker. */
  take(asker: Asker): boolean {
    if (this.open(asker) === 0) return false;
    this.#count(asker, 1);
    return true;
  }

  /** Who waits is called, those first whose team, and then whose webhook, holds the fewest. */
  giveBack(asker: Asker): void {
    this.#count(asker, -1);
    if (this.#waiting.size === 0) return;
    const waiting = [...this.#waiting].sort(([, one], [, other]) => this.#held(one.asker) - this.#held(other.asker));
    for (const [webhookId, { asker: other, call }] of waiting) {
      if (this.#free === 0) return;
      if (this.open(other) === 0) continue;
      this.#waiting.delete(webhookId);
      call();
    }
  }

  /** Calls once, when a slot has become free for a webhook that has to do without. */
  whenOpen(asker: Asker, call: () => void): void {
    if (this.open(asker) === 0) this.#waiting.set(asker.webhookId, { asker, call });
  }

  /** The webhook waits no more. */
  forget({ webhookId }: Pick<Asker, 'webhookId'>): void {
    this.#waiting.delete(webhookId);
  }

  #held({ teamId, webhookId }: Asker): number {
    return (this.#byTeam.get(teamId) ?? 0) * (this.#total + 1) + (this.#byWebhook.get(webhookId) ?? 0);
  }

  #count({ webhookId, teamId }: Asker, change: 1 | -1): void {
    this.#free -= change;
    add(this.#byWebhook, webhookId, change);
    add(this.#byTeam, teamId, change);
  }
}

function add(counts: Map<string, number>, id: string, change: number): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
