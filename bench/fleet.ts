import { openGeoip } from '../src/geo/geoip.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { type AmbiguityClass, classify } from './support/fleet/ambiguity.ts';
import { ASSUMPTIONS } from './support/fleet/assumptions.ts';
import { Bearer } from './support/fleet/Bearer.ts';
import { calibrationRows, fitConfidence, type Judged } from './support/fleet/calibrate.ts';
import { Draws } from './support/fleet/Draws.ts';
import type { ClickEvent, OpenEvent } from './support/fleet/events.ts';
import { isRight, judge } from './support/fleet/judge.ts';
import { devicesOf, type Fleet, makeFleet } from './support/fleet/makeFleet.ts';
import { matchInMemory, type Rules } from './support/fleet/matchInMemory.ts';
import { matchLoosely } from './support/fleet/matchLoosely.ts';
import { type Answer, replay } from './support/fleet/replay.ts';
import { startFleetProduct } from './support/fleet/startFleetProduct.ts';
import {
  classTable,
  SEED_HEAD,
  SWEEP_HEAD,
  seedCells,
  sweepCells,
  type Tallies,
  table,
} from './support/fleet/tables.ts';
import { EMPTY, sumOf } from './support/fleet/tally.ts';
import { FLEETS, RULES } from './support/fleet/variants.ts';
import { type WrongMatch, wrongMatches } from './support/fleet/wrongMatches.ts';
import { option, print } from './support/product.ts';
import { seededRandom } from './support/random.ts';

/**
 * How often the matcher is right: people behind homes, offices and carriers follow links and install an app, and the
 * product, in this process and at their time, is asked where each install came from. Beside it the loose rule of others.
 * Then what tokens add, and, by the matcher's pure functions without a store, what other rules and other people would do.
 * Everything that people are like is in support/fleet/assumptions.ts.
 *
 *   npm run bench -- fleet [people=4000] [seeds=1,2] [unseen=101-140] [fit=1001-1040] [tries=20]
 *     seeds: by HTTP (on PostgreSQL: STORE=postgres npm run …). unseen: by the pure functions, to judge by. fit: what the
 *     points were chosen on and confidence is fitted on; its table is printed anew. tries: fleets for each line of the
 *     last tables. 0: none
 */
loadConfig({ LOG_LEVEL: 'silent' });
const people = Number(option('people', '4000'));
const seeds = seedsOf(option('seeds', '1,2'));
const unseen = seedsOf(option('unseen', '101-140'));
const fitted = seedsOf(option('fit', '1001-1040'));
const tries = Number(option('tries', '20'));

/** `1,2`, `101-140`, or 0 for none. */
function seedsOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return from === 0 ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
}

const WINDOW_MS = ASSUMPTIONS.windowSeconds * 1000;

/** A fleet with the truth about each of its installs. */
interface Known extends Fleet {
  classes: Map<OpenEvent, AmbiguityClass>;
}

print(`people ${people}, seeds ${seeds.join(', ')}, assumed:\n${JSON.stringify(ASSUMPTIONS)}\n`);
const ours: Tallies[] = [];
const loose: Tallies[] = [];
const wrong: WrongMatch[] = [];
const rows: (string | number)[][] = [['seed', ...SEED_HEAD]];
for (const seed of seeds) rows.push([seed, ...seedCells(await measureSeed(seed))]);
if (seeds.length > 0) {
  print(`\n${table([...rows, ['together', ...seedCells(together(ours))]])}`);
  print(`\n${classTable(together(ours), together(loose))}`);
  printWrong();
  await measureTokens(seeds[0] ?? 1);
}
await judgeUnseen();
if (tries > 0) await tryOthers();

async function measureSeed(seed: number): Promise<Tallies> {
  const fleet = known(makeFleet(seed, people));
  const startedAt = performance.now();
  const found = clicksOf(await ask(fleet));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  const inMemory = matchInMemory(fleet.events, await openGeoip());
  const others = [...found].filter(([open, click]) => click !== (inMemory.get(open)?.click ?? null)).length;
  const clicks = fleet.events.filter(({ kind }) => kind === 'click').length;
  print(
    `seed ${seed}: ${devicesOf(fleet.people)} devices of ${fleet.people.length} people, ${clicks} clicks, ${found.size} ` +
      `installs in ${seconds} s · ${others} otherwise than by the pure functions · ${usedTwice(found)} clicks used twice · ` +
      `${acrossTenants(found)} matches across tenants`,
  );
  const tallies = judge(fleet.classes, found);
  ours.push(tallies);
  loose.push(judge(fleet.classes, matchLoosely(fleet.events)));
  wrong.push(...wrongMatches(fleet.classes, found));
  return tallies;
}

async function ask({ events, assumed }: Fleet, bearer: Bearer | null = null): Promise<Map<OpenEvent, Answer>> {
  const product = await startFleetProduct(assumed.links, bearer !== null);
  try {
    return await replay(product, events, bearer);
  } finally {
    await product.stop();
  }
}

/** Android's referrer, the clipboard, and a page that tells of the device: of the same people a third. */
async function measureTokens(seed: number): Promise<void> {
  const fleet = known(makeFleet(seed, Math.ceil(people / 3)));
  const answers = await ask(fleet, new Bearer(new Draws(seededRandom(seed)), fleet.assumed));
  const methods = Map.groupBy(answers.keys(), (open) => answers.get(open)?.method ?? '');
  const rows = [...methods].sort().map(([method, opens]) => {
    const own = new Map(opens.map((open) => [open, fleet.classes.get(open) as AmbiguityClass]));
    const { installs, led, matched, right, rightClick } = sumOf(judge(own, clicksOf(answers)).values());
    return [method, installs, led, matched, right, matched - right, rightClick];
  });
  print(`\nWith tokens, and pages that tell of the device (${fleet.people.length} people, seed ${seed}):`);
  print(table([['method', 'installs', 'led in time', 'matched', 'right', 'wrong', 'right click'], ...rows]));
}

/** By the pure functions: what confidence is fitted on, and on other fleets how well all of it holds. */
async function judgeUnseen(): Promise<void> {
  const placeOf = await openGeoip();
  const guessed = (from: readonly number[]) => {
    const tallies: Tallies[] = [];
    const judged: Judged[] = [];
    for (const seed of from) {
      const { classes, events } = known(makeFleet(seed, people));
      const guesses = matchInMemory(events, placeOf);
      tallies.push(judge(classes, clicksOf(guesses)));
      for (const [open, guess] of guesses)
        if (guess && open.tenant === 'own') judged.push({ score: guess.score, isRight: isRight(open, guess.click) });
    }
    return { tallies: together(tallies), judged };
  };
  if (fitted.length > 0) {
    print(
      `\nConfidence by score, fitted on ${fitted.length} fleets: ${JSON.stringify(fitConfidence(guessed(fitted).judged))}`,
    );
  }
  if (unseen.length === 0) return;
  const { tallies, judged } = guessed(unseen);
  print(`\n${unseen.length} fleets that nothing was fitted on, by the pure functions:`);
  print(
    `${table([
      ['', ...SEED_HEAD],
      ['together', ...seedCells(tallies)],
    ])}\n\n${classTable(tallies, new Map())}`,
  );
  print(`\n${table([['said', 'right, %', '95 %', 'guesses'], ...calibrationRows(judged)])}`);
}

async function tryOthers(): Promise<void> {
  const placeOf = await openGeoip();
  const first = Array.from({ length: tries }, (_, at) => at + 1);
  const judged = (fleets: Iterable<Known>, rules: Partial<Rules> = {}) => {
    const each: Tallies[] = [];
    for (const { classes, events } of fleets)
      each.push(judge(classes, clicksOf(matchInMemory(events, placeOf, rules))));
    return sweepCells(together(each));
  };
  const fleets = first.map((seed) => known(makeFleet(seed, people)));
  const byRules = Object.entries(RULES).map(([name, rules]) => [name, ...judged(fleets, rules)]);
  print(`\nOther rules, ${tries} fleets (seeds 1 to ${tries}), by the pure functions:`);
  print(table([['rule', ...SWEEP_HEAD], ...byRules]));
  const byFleets = Object.entries(FLEETS).map(([name, changed]) => {
    return [name, ...judged(first.map((seed) => known(makeFleet(seed, people, changed))))];
  });
  print('\nOther people, the same rules:');
  print(table([['people', ...SWEEP_HEAD], ...byFleets]));
}

function known(fleet: Fleet): Known {
  return { ...fleet, classes: classify(fleet.events, WINDOW_MS) };
}

function clicksOf(answers: ReadonlyMap<OpenEvent, Pick<Answer, 'click'> | null>): Map<OpenEvent, ClickEvent | null> {
  return new Map([...answers].map(([open, answer]) => [open, answer?.click ?? null]));
}

function usedTwice(found: ReadonlyMap<OpenEvent, ClickEvent | null>): number {
  const used = [...found.values()].filter((click) => click !== null);
  return used.length - new Set(used).size;
}

function acrossTenants(found: ReadonlyMap<OpenEvent, ClickEvent | null>): number {
  return [...found].filter(([{ tenant }, click]) => click !== null && click.tenant !== tenant).length;
}

function together(each: readonly Tallies[]): Tallies {
  const names = new Set(each.flatMap((tallies) => [...tallies.keys()]));
  return new Map([...names].map((name) => [name, sumOf(each.map((tallies) => tallies.get(name) ?? EMPTY))]));
}

function printWrong(): void {
  print('\nWrong matches, an example of each kind:');
  const kinds = [...Map.groupBy(wrong, ({ kind }) => kind)].sort(([, one], [, other]) => other.length - one.length);
  for (const [kind, those] of kinds) print(`${String(those.length).padStart(4)} ${kind}\n       ${those[0]?.example}`);
}
