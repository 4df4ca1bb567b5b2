import { CONFIDENCE, confidenceOf } from '../../../src/attribution/decide/score.ts';
import { wilson } from './tally.ts';

/** A guess, and whether it was right. */
export interface Judged {
  score: number;
  isRight: boolean;
}

/** Scores that are looked at together. */
const STEP = 5;
/** Fewer than that tell nothing: they go with their neighbours. */
const LEAST = 300;

interface Block {
  from: number;
  right: number;
  all: number;
}

/**
 * What to write into src/matching/confidence.ts: the share of right guesses by score, never falling (pool adjacent
 * violators), in whole percent, at most 99.
 */
export function fitConfidence(judged: readonly Judged[]): [score: number, confidence: number][] {
  const bins = [...Map.groupBy(judged, ({ score }) => Math.floor(score / STEP) * STEP)].sort(([a], [b]) => a - b);
  const blocks: Block[] = [];
  for (const [from, those] of bins) {
    blocks.push({ from, right: those.filter(({ isRight }) => isRight).length, all: those.length });
    for (let at = blocks.length - 1; at > 0 && isPooled(blocks[at - 1] as Block, blocks[at] as Block); at -= 1) {
      const { right, all } = blocks.pop() as Block;
      const before = blocks[at - 1] as Block;
      blocks[at - 1] = { from: before.from, right: before.right + right, all: before.all + all };
    }
  }
  const steps = blocks.map(({ from, right, all }): [number, number] => {
    return [from, Math.min(99, Math.round((100 * right) / all))];
  });
  return steps.filter(([, percent], at) => percent !== steps[at - 1]?.[1]);
}

function isPooled(before: Block, after: Block): boolean {
  return before.right / before.all >= after.right / after.all || before.all < LEAST || after.all < LEAST;
}

/** Rows of a table: what was said, how often it was right, of how many. */
export function calibrationRows(judged: readonly Judged[]): string[][] {
  return CONFIDENCE.map(([, said]) => {
    const those = judged.filter(({ score }) => confidenceOf(score) === said);
    const right = those.filter(({ isRight }) => isRight).length;
    const [low, high] = wilson(right, those.length);
    const percent = (share: number) => (100 * share).toFixed(1);
    return [String(said), percent(right / those.length), `${percent(low)}–${percent(high)}`, String(those.length)];
  });
}
