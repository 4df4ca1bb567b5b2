import { type Question, urlOf } from './analyticsQuestions.ts';
import { askDuck, type DuckRange } from './askDuck.ts';
import { type ApiAnswer, differences } from './compareAnswers.ts';
import type { DuckClicks } from './duckClicks.ts';
import type { Product } from './product.ts';
import { type Timings, timeRounds } from './timings.ts';

export interface Measured {
  question: Question;
  interval: string;
  ours: Timings;
  duck: Timings;
  clicks: number;
  differences: string[];
}

/** As the API has it where nothing is said. */
const LIMIT = 100;

/** Asks both the same; a text when the API does not answer. DuckDB is asked about the range of our last answer. */
export async function measureQuestion(
  product: Product,
  duck: DuckClicks,
  { question, interval, rounds }: { question: Question; interval: string; rounds: number },
): Promise<Measured | string> {
  const ask = (): Promise<ApiAnswer> => product.call('GET', urlOf(question, interval));
  const ours = await timeRounds(rounds, ask).catch((error: Error) => error.message);
  if (typeof ours === 'string') return ours;
  const { answer } = ours;
  const range: DuckRange = {
    startMs: Date.parse(answer.start),
    endMs: Date.parse(answer.end),
    granularity: answer.granularity,
    limit: question.groupBy === 'time' ? null : LIMIT,
  };
  const theirs = await timeRounds(rounds, () => askDuck(duck.connection, question, range));
  const exact = await askDuck(duck.connection, question, { ...range, limit: null });
  return {
    question,
    interval,
    ours,
    duck: theirs,
    clicks: answer.total.count,
    differences: differences(answer, exact),
  };
}
