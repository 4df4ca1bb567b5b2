import type { Play } from './support/faults/Play.ts';
import { playAll, type Result, total } from './support/faults/playAll.ts';
import { ANNOUNCEMENTS, CLOCKS } from './support/faults/plays/announcements.ts';
import { CONNECTIONS } from './support/faults/plays/connections.ts';
import { BEHIND_CADDY, RESTARTS } from './support/faults/plays/restarts.ts';
import { FAILOVERS, STORE_AWAY } from './support/faults/plays/storeAway.ts';
import { STORE_CLICKS } from './support/faults/plays/storeClicks.ts';
import { WORKERS } from './support/faults/plays/workers.ts';
import { option, print } from './support/product.ts';

/**
 * Faults of processes, of the store and of what is between them, on an installation of two web, three redirect and two worker
 * processes behind a proxy, with a PostgreSQL of its own. People follow links and a program creates some meanwhile; a ledger
 * outside knows what was answered, and compares it with what is stored and what two webhooks were told. Needs Linux with
 * the packages postgresql and haproxy; some plays need caddy and libfaketime, and `storeClicks` a ClickHouse, as the bench
 * `clickStores` does. Ends with 1 when anything was lost or came twice.
 *
 *   npm run bench -- faults [plays=rolling,frozen] [redirects=35] [links=2]
 */
const PLAYS: readonly Play[] = [
  ...RESTARTS,
  ...ANNOUNCEMENTS,
  ...STORE_AWAY,
  ...CONNECTIONS,
  ...WORKERS,
  ...CLOCKS,
  ...BEHIND_CADDY,
  ...FAILOVERS,
  ...STORE_CLICKS,
];

const SHOWN_ERRORS = 5;
const SHOWN_CHARACTERS = 2000;

const rates = { redirects: Number(option('redirects', '35')), links: Number(option('links', '2')) };
const names = option('plays', PLAYS.map(({ name }) => name).join()).split(',');
const unknown = names.filter((name) => !PLAYS.some((play) => play.name === name));
if (unknown.length > 0 || !(rates.redirects > 0) || !(rates.links > 0)) {
  for (const { name, about } of PLAYS) print(`${name.padEnd(14)} ${about}`);
  throw new Error(unknown.length > 0 ? `There is no play ${unknown.join(', ')}.` : 'Rates must be above 0.');
}

print(`${rates.redirects} links followed and ${rates.links} created a second`);
let isGood = true;
await playAll(
  PLAYS.filter(({ name }) => names.includes(name)),
  rates,
  {
    onResult(result) {
      isGood &&= result.isGood;
      print(lineOf(result));
    },
    onError(play, error) {
      isGood = false;
      print(`✗ ${play.name}: ${error.stack ?? error.message}`);
    },
  },
);
process.exit(isGood ? 0 : 1);

function lineOf({ play, ledger, comparison, seconds, told, errors, isGood: isKept }: Result): string {
  const { redirects, creations, givenUp } = ledger;
  return [
    `${isKept ? '✓' : '✗'} ${play.name}: ${play.about}; ${seconds.toFixed(0)} s`,
    `  redirects: ${redirects.answered} answered, ${failures(redirects)}, ${times(redirects)}`,
    `  creations: ${creations.answered} answered, ${failures(creations)}, given up ${givenUp}, ${times(creations)}`,
    `  lost: ${counted(comparison.lost)} · twice: ${counted(comparison.twice)} · unanswered but stored: ${comparison.unanswered}`,
    `  ${told}`,
    ...errors.slice(0, SHOWN_ERRORS).map((line) => `  ${line.slice(0, SHOWN_CHARACTERS)}`),
  ].join('\n');
}

function failures({ failed, failures: kinds }: { failed: number; failures: ReadonlyMap<string, number> }): string {
  return `${failed} failed${failed > 0 ? ` (${[...kinds].map(([kind, count]) => `${kind}: ${count}`).join(', ')})` : ''}`;
}

function times({ longestGapMs, slowestMs }: { longestGapMs: number; slowestMs: number }): string {
  const [gap, slowest] = [longestGapMs, slowestMs].map((ms) => (ms / 1000).toFixed(1));
  return `longest gap ${gap} s, slowest ${slowest} s`;
}

function counted(counts: Record<string, number>): string {
  if (total(counts) === 0) return '0';
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  return parts.map(([where, count]) => `${count} ${where}`).join(', ');
}
