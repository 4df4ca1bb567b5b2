import { openJournal } from '../../../../src/clicks/journal.ts';

/**
 * Appends numbered lines until it is killed, and says each number on stdout once its line is written.
 * Arguments: folder, `sync` or `async`, first number.
 */
const [folder = '', mode, first] = process.argv.slice(2);

async function run(): Promise<void> {
  const journal = await openJournal({ folder, maxBytes: 1e9, sync: mode === 'sync' });
  for (let number = Number(first); ; ) {
    const batch = Array.from({ length: 25 }, () => number++);
    await Promise.all(batch.map((n) => append(n)));
  }

  async function append(number: number): Promise<void> {
    const outcome = await journal.append(JSON.stringify({ number, filling: 'x'.repeat(number % 900) }));
    if (outcome === 'written') process.stdout.write(`${number}\n`);
  }
}

void run();
