import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { closeClickHouse, hasClickHouse } from '../../src/clicks/clickhouse/connection.ts';
import { type MovedClicks, moveClicks } from '../../src/clicks/clickhouse/moveClicks.ts';
import { type Drained, drainFolder } from '../../src/clicks/lost/drainFolder.ts';
import { ownerOf, segmentsIn } from '../../src/clicks/lost/journalFolder.ts';
import { settleLost } from '../../src/clicks/lost/watchJournals.ts';
import { lockDataDir } from '../../src/db/dataDir.ts';
import { config } from '../../src/kernel/config.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const JOURNAL_COMMANDS: AdminCommand[] = [
  {
    name: 'drain',
    usage: 'DIR',
    about: 'moves the clicks that a process left in its DATA_DIR (or in its folder clicks) to the store',
    async run([dir, ...more]) {
      if (!dir || more.length > 0) throw new WrongArguments();
      if (!existsSync(dir)) throw new Error(`There is no folder ${path.resolve(dir)}.`);
      const { journals, dataDir } = await journalsOf(await realpath(dir));
      if (journals.length === 0) return `There are no clicks in ${path.resolve(dir)}.`;
      const lock = (await isLockedAlready(dataDir)) ? null : await lockDataDir(dataDir);
      try {
        const lines: string[] = [];
        for (const journal of journals) lines.push(await drain(journal));
        return lines.join('\n');
      } finally {
        await lock?.release();
      }
    },
  },
  {
    name: 'move-clicks',
    usage: '[--after=CLICK_ID]',
    about: 'copies the clicks of the store to ClickHouse (CLICKS_URL); with --after it goes on behind that click',
    async run(args) {
      const [after = '', ...more] = args.map((arg) => /^--after=(clk_\w+)$/.exec(arg)?.[1] ?? null);
      if (after === null || more.length > 0) throw new WrongArguments();
      if (!hasClickHouse()) throw new Error('CLICKS_URL is not set: it says to which ClickHouse the clicks go.');
      try {
        return sentenceOfMove(await moveClicks(after, showClicks()));
      } finally {
        await closeClickHouse();
      }
    },
  },
];

/** Shows how far a move is, once a second. */
function showClicks(): (read: number, lastId: string) => void {
  let shownAt = 0;
  return (read, lastId) => {
    if (performance.now() - shownAt < 1000) return;
    shownAt = performance.now();
    process.stderr.write(`  ${read} clicks, up to ${lastId}\n`);
  };
}

function sentenceOfMove({ read, found }: MovedClicks): string {
  if (found < read)
    throw new Error(
      `ClickHouse has ${found} of ${read} clicks. Run this again: clicks that are there stay as they are.`,
    );
  return `${read} clicks are in ClickHouse. Those in the store were left as they are, and go with their retention.`;
}

/** The journals in a folder that have clicks, and the DATA_DIR whose lock says whether their process lives. */
async function journalsOf(dir: string): Promise<{ journals: string[]; dataDir: string }> {
  if ((await segmentsIn(dir)).length > 0)
    return { journals: [dir], dataDir: path.basename(dir) === 'clicks' ? path.dirname(dir) : dir };
  const names = (await readdir(dir)).filter((name) => /^clicks(\..+)?$/.test(name)).sort();
  const journals: string[] = [];
  for (const name of names)
    if ((await segmentsIn(path.join(dir, name))).length > 0) journals.push(path.join(dir, name));
  return { journals, dataDir: dir };
}

/** With the embedded store, this process holds the lock of its own DATA_DIR. */
async function isLockedAlready(dataDir: string): Promise<boolean> {
  return !config.databaseUrl && (await realpath(config.dataDir)) === dataDir;
}

async function drain(journal: string): Promise<string> {
  const warnings: string[] = [];
  const drained = await drainFolder(journal, (message) => warnings.push(`  ${message}.`));
  const owner = await ownerOf(journal);
  if (drained.leftBytes > 0)
    throw new Error(
      `The store does not accept the clicks of ${journal}: ${drained.moved} were moved, and ${drained.leftBytes} bytes are left. Run this again when it does.`,
    );
  if (owner !== null) await settleLost(owner);
  return [sentenceOf(journal, drained), ...warnings].join('\n');
}

function sentenceOf(journal: string, { moved, rejected, damaged }: Drained): string {
  return `${journal}: ${moved} clicks moved to the store, ${rejected} rejected by it (see rejected.log), ${damaged} damaged lines.`;
}
