import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { hasClickHouse } from '../../../src/clicks/clickhouse/connection.ts';
import { type MovedClicks, moveClicks } from '../../../src/clicks/clickhouse/moveClicks.ts';
import { type Drained, drainFolder } from '../../../src/clicks/lost/drainFolder.ts';
import { ownerOf, segmentsIn } from '../../../src/clicks/lost/journalFolder.ts';
import { settleLost } from '../../../src/clicks/lost/watchJournals.ts';
import { lockDataDir } from '../../../src/db/dataDir.ts';
import { config } from '../../../src/kernel/config.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const JOURNAL_COMMANDS: AdminCommand[] = [
  {
    name: 'drain',
    usage: 'DIR',
    about: 'moves the clicks that a process left in its DATA_DIR (or in its folder clicks) to the store',
    isLong: true,
    async run([given, ...more], context) {
      if (!given || more.length > 0) throw new WrongArguments();
      const dir = path.resolve(context.folder, given);
      if (!existsSync(dir)) throw new Error(`There is no folder ${dir}.`);
      const { journals, dataDir } = await journalsOf(await realpath(dir));
      if (journals.length === 0) return `There are no clicks in ${dir}.`;
      if (context.product) await refuseLive(journals);
      const lock = (await isLockedAlready(dataDir)) ? null : await lockDataDir(dataDir);
      try {
        for (const journal of journals) {
          context.signal.throwIfAborted();
          await context.print(await drain(journal));
        }
        return '';
      } finally {
        await lock?.release();
      }
    },
  },
  {
    name: 'move-clicks',
    usage: '[--after=CLICK_ID]',
    about: 'copies the clicks of the store to ClickHouse (CLICKS_URL); with --after it goes on behind that click',
    isLong: true,
    async run(args, { product, signal, showProgress }) {
      const [after = '', ...more] = args.map((arg) => /^--after=(clk_\w+)$/.exec(arg)?.[1] ?? null);
      if (after === null || more.length > 0) throw new WrongArguments();
      if (!hasClickHouse()) throw new Error(product ? NOT_SET_IN_PRODUCT : NOT_SET);
      const show = showClicks(showProgress);
      const moved = await moveClicks(after, (read, lastId) => {
        show(read, lastId);
        signal.throwIfAborted();
      });
      return sentenceOfMove(moved);
    },
  },
];

const NOT_SET = 'CLICKS_URL is not set: it says to which ClickHouse the clicks go.';
const NOT_SET_IN_PRODUCT =
  'The running product has no CLICKS_URL, which says to which ClickHouse the clicks go. Set it, restart, and run this again.';

/** Shows how far a move is, once a second. */
function showClicks(show: (line: string) => void): (read: number, lastId: string) => void {
  let shownAt = 0;
  return (read, lastId) => {
    if (performance.now() - shownAt < 1000) return;
    shownAt = performance.now();
    show(`  ${read} clicks, up to ${lastId}`);
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

async function refuseLive(journals: readonly string[]): Promise<void> {
  const own = path.join(await realpath(config.dataDir), 'clicks');
  if (!journals.includes(own)) return;
  throw new Error(`DATA_DIR ${path.dirname(own)} is in use by the running product, which moves its clicks by itself.`);
}

/** With the embedded store, this process, be it the product, holds the lock of its own DATA_DIR. */
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
