import 'reflect-metadata';
import { parse, validate } from 'graphql';
import { buildGraphqlSchema } from '../schema/build.ts';
import { costOf, MAX_TOKENS, refusalOf } from '../schema/limits.ts';
import { type CostlyDocument, costlyDocuments } from '../test/support/costlyDocuments.ts';

/**
 * What it costs to check documents that are made to be dear: milliseconds of this process's own time, the best of three,
 * with the checks before validation and without them (parsing, validation and weighing alone).
 */
const schema = buildGraphqlSchema();

function checkWithout({ query, variables = {} }: CostlyDocument): string {
  try {
    const document = parse(query, { maxTokens: 5000 });
    if (validate(schema, document).length > 0) return 'invalid';
    return `costs ${costOf(schema, document, null, variables)}`;
  } catch (error) {
    return (error as Error).message.slice(0, 60);
  }
}

function check(given: CostlyDocument): string {
  const refusal = refusalOf(given.query, true);
  if (refusal) return `refused: ${refusal.message.slice(0, 50)}`;
  try {
    const document = parse(given.query, { maxTokens: MAX_TOKENS });
    if (validate(schema, document).length > 0) return 'let through, invalid';
    return `let through, costs ${costOf(schema, document, null, given.variables ?? {})}`;
  } catch (error) {
    return `let through, ${(error as Error).message.slice(0, 60)}`;
  }
}

function cpuMs(work: () => string): { ms: number; said: string } {
  let best = Number.POSITIVE_INFINITY;
  let said = '';
  for (let run = 0; run < 3; run += 1) {
    const before = process.cpuUsage();
    said = work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return { ms: best, said };
}

const rows = costlyDocuments().map((document) => ({
  document,
  before: cpuMs(() => checkWithout(document)),
  now: cpuMs(() => check(document)),
}));
rows.sort((a, b) => b.now.ms - a.now.ms || b.before.ms - a.before.ms);
const dearest = [...rows].sort((a, b) => b.before.ms - a.before.ms).slice(0, 12);
const show = ({ document, before, now }: (typeof rows)[number]) =>
  `${document.name.padEnd(46)} ${String(document.query.length).padStart(7)} B  ${before.ms.toFixed(1).padStart(8)} ms → ${now.ms.toFixed(1).padStart(6)} ms  ${now.said}`;
process.stdout.write(`${rows.length} documents\n\nDearest without the checks\n${dearest.map(show).join('\n')}\n`);
process.stdout.write(`\nDearest with them\n${rows.slice(0, 20).map(show).join('\n')}\n`);
