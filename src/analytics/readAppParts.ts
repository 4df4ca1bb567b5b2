import { BlockDraft } from '../rollups/BlockDraft.ts';
import type { Money, Part } from '../rollups/Part.ts';
import type { ClickRow } from '../rollups/readClicks.ts';
import type { AppTable } from './appTables.ts';
import type { Numbering } from './Numbering.ts';
import { partFrom } from './partFrom.ts';
import type { TimeSpan } from './planDays.ts';
import type { AnalyticsDimension, Question } from './Question.ts';
import { figuresOf, readCounted } from './readCounted.ts';
import { unitsOf } from './Sums.ts';

/** A part is tallied in one go. */
const PART_LENGTH = 5000;

/** Events of apps in a span, in parts like those of blocks; what the store has counted together is one entry. */
export async function readAppParts(
  source: AppTable,
  question: Question,
  span: TimeSpan,
  numbering: Numbering,
): Promise<Part[]> {
  const dimensions = dimensionsOf(source, question);
  const parts: Part[] = [];
  let gathered = new Gathered(span.fromMs, dimensions);
  const finish = async () => {
    if (gathered.length > 0) parts.push(await gathered.part(numbering));
    gathered = new Gathered(span.fromMs, dimensions);
  };
  for await (const rows of readCounted(source, question, span, dimensions)) {
    gathered.add(rows);
    if (gathered.length >= PART_LENGTH) await finish();
  }
  await finish();
  return parts;
}

/** Dimensions that have to be read for the question; of others the table knows nothing. */
function dimensionsOf({ dimensions }: AppTable, { groupBy, filters }: Question): AnalyticsDimension[] {
  const names = new Set<string>([groupBy, ...filters.map(({ dimension }) => dimension)]);
  return (Object.keys(dimensions) as AnalyticsDimension[]).filter((name) => names.has(name));
}

/** What becomes a part. */
class Gathered {
  readonly #draft: BlockDraft;
  readonly #weights: number[] = [];
  readonly #values: (Money | null)[] = [];

  constructor(baseMs: number, dimensions: readonly AnalyticsDimension[]) {
    this.#draft = new BlockDraft(baseMs, dimensions);
  }

  get length(): number {
    return this.#draft.length;
  }

  add(rows: ClickRow[]): void {
    this.#draft.add(rows);
    for (const row of rows) {
      const [count, value, currency] = figuresOf(row);
      this.#weights.push(count);
      this.#values.push(value === null ? null : { currency, units: unitsOf(Number(value)) * BigInt(count) });
    }
  }

  async part(numbering: Numbering): Promise<Part> {
    const part = { ...(await partFrom(this.#draft, numbering)), weights: Float64Array.from(this.#weights) };
    return this.#values.some(Boolean) ? { ...part, values: this.#values } : part;
  }
}
