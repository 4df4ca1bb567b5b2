import { setTimeout as delay } from 'node:timers/promises';
import { Installation, type Needs } from './Installation.ts';
import { type Comparison, Ledger } from './Ledger.ts';
import { Load, type Rates } from './Load.ts';
import type { Play } from './Play.ts';

/** The load alone, before a fault and after it. */
const BEFORE_MS = 6000;
const AFTER_MS = 8000;
/** How long everything that was answered may take to be stored and told. */
const QUIET_MS = 300_000;
/** The same where something may be lost for good. */
const LOSS_MS = 40_000;
const LOOK_MS = 2000;

const USUAL: Needs = { front: 'haproxy', standby: 'none', clockSeconds: 0, hasClickHouse: false };

export interface Result {
  play: Play;
  ledger: Ledger;
  comparison: Comparison;
  seconds: number;
  told: string;
  /** Lines of the logs that say that something is wrong with the product. */
  errors: string[];
  isGood: boolean;
}

/**
 * Plays all of these, on as few installations as possible: a play that leaves another server behind, or fails, ends its own.
 * `onResult` gets each result when it is there, `onError` the error of a play that could not be played to its end.
 */
export async function playAll(
  plays: readonly Play[],
  rates: Rates,
  { onResult, onError }: { onResult(result: Result): void; onError(play: Play, error: Error): void },
): Promise<void> {
  let installation: Installation | null = null;
  let needs = '';
  const end = async () => {
    await installation?.stop();
    installation = null;
  };
  for (const play of plays) {
    const wanted = { ...USUAL, ...play.needs };
    try {
      if (needs !== JSON.stringify(wanted)) await end();
      needs = JSON.stringify(wanted);
      installation ??= await Installation.start(wanted);
      onResult(await playOne(play, installation, rates));
      // Its standby was used up.
      if (wanted.standby !== 'none') await end();
    } catch (error) {
      onError(play, error as Error);
      await end();
    }
  }
  await end();
}

async function playOne(play: Play, installation: Installation, rates: Rates): Promise<Result> {
  const ledger = new Ledger(play.name);
  const load = new Load(installation.customers, ledger, rates);
  const startedAt = performance.now();
  await load.start();
  let told: string;
  try {
    await delay(BEFORE_MS);
    told = await play.run({ installation, ledger });
    await delay(AFTER_MS);
  } finally {
    await load.stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const comparison = await compareWhenQuiet(ledger, installation, play.mayLose ? LOSS_MS : QUIET_MS);
  const failed = ledger.redirects.failed + ledger.creations.failed;
  const isKept = total(comparison.twice) === 0 && (total(comparison.lost) === 0 || play.mayLose === true);
  const isGood = isKept && !(play.failsNothing && failed > 0) && installation.receiver.refused === 0;
  const errors = installation.processes.flatMap((process) => process.errors());
  return { play, ledger, comparison, seconds, told, errors, isGood };
}

/** Waits until nothing is missing, for a while, and then looks once more for what comes twice. */
async function compareWhenQuiet(ledger: Ledger, installation: Installation, withinMs: number): Promise<Comparison> {
  const endMs = Date.now() + withinMs;
  for (;;) {
    const comparison = await ledger.compare(installation);
    if (total(comparison.lost) === 0 || Date.now() > endMs) break;
    await delay(LOOK_MS);
  }
  await delay(2 * LOOK_MS);
  return ledger.compare(installation);
}

/** The sum of all counts. */
export function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
