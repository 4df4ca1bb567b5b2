import { openJournal } from '../../../../src/clicks/journal.ts';

/**
 * Run under `ulimit -f`, so that the system takes part of a write and then refuses the rest, as a full disk does.
 * Appends numbered lines a batch at a time and says on stdout, as JSON, which were written, with the warnings.
 */
const [folder = ''] = process.argv.slice(2);

async function run(): Promise<void> {
  const warnings: string[] = [];
  const journal = await openJournal({
    folder,
    maxBytes: 1e9,
    sync: false,
    onWarning: (message) => warnings.push(message),
  });
  const written: number[] = [];
  let number = 0;
  for (let batch = 0; batch < 40; batch++) {
    const numbers = Array.from({ length: 100 }, () => number++);
    const outcomes = await Promise.all(numbers.map((n) => journal.append(JSON.stringify({ n, x: 'x'.repeat(900) }))));
    written.push(...numbers.filter((_, index) => outcomes[index] === 'written'));
  }
  await journal.close();
  process.stdout.write(JSON.stringify({ written, total: number, dropped: journal.dropped(), warnings }));
}

void run();
