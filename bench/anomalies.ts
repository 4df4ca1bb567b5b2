import { option, print } from './support/product.ts';
import { ASSUMPTIONS, PLANTED } from './support/traffic/assumptions.ts';
import type { Detector } from './support/traffic/Detector.ts';
import { judgeTold, type Verdicts } from './support/traffic/judgeTold.ts';
import { makeTraffic } from './support/traffic/makeTraffic.ts';
import { measureCost } from './support/traffic/measureCost.ts';
import { lastDay, lastWeek } from './support/traffic/naiveRules.ts';
import { ourRule } from './support/traffic/ourRule.ts';
import { kindTable, sizeTable } from './support/traffic/tables.ts';

/**
 * How well traffic that is not as usual is told from traffic that is: simulated projects of several sizes with planted
 * incidents, beside two simple rules. Thresholds were chosen on the seeds from 1000 on; what is printed is judged on others.
 * What traffic is like is in support/traffic/assumptions.ts. Then what it costs in a store.
 *
 *   npm run bench -- anomalies [projects=100] [first=1] [cost=1]        on PostgreSQL: STORE=postgres npm run …
 *     projects: of each size, with the seeds from `first` on, 0: the cost alone; cost=0: without it
 */
const projects = Number(option('projects', '100'));
const first = Number(option('first', '1'));

const RULES: Record<string, Detector> = { ours: ourRule, 'last 24 h': lastDay, 'last week': lastWeek };

print(`${projects} projects of each size, seeds ${first} to ${first + projects - 1}, assumed:`);
print(`${JSON.stringify(ASSUMPTIONS)}\nplanted: ${JSON.stringify(PLANTED)}\n`);
const byRule = new Map<string, Verdicts[]>(Object.keys(RULES).map((name) => [name, []]));
let [hours, milliseconds] = [0, 0];
for (let seed = first; seed < first + projects; seed += 1) {
  for (const size of ASSUMPTIONS.sizes) {
    const traffic = makeTraffic(seed, size);
    for (const [name, rule] of Object.entries(RULES)) {
      const startedAt = performance.now();
      const told = rule(traffic);
      if (rule === ourRule) milliseconds += performance.now() - startedAt;
      byRule.get(name)?.push(judgeTold(traffic, told));
    }
    hours += traffic.people.length - traffic.judgedFrom;
  }
}
if (projects > 0) printJudged();
if (option('cost', '1') !== '0') await measureCost();

function printJudged(): void {
  print(sizeTable(byRule, ASSUMPTIONS.sizes));
  const ours = (byRule.get('ours') ?? []).filter(({ size }) => size >= 100).flatMap(({ found }) => found);
  print(`\nOurs by kind, projects from 100 clicks an hour:\n${kindTable(ours)}`);
  print(`\nTo judge an hour takes ${((milliseconds / hours) * 1000).toFixed(0)} µs.`);
}
