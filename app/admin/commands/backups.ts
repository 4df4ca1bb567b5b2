import path from 'node:path';
import { megabytes } from '../../../src/backup/backupFolder.ts';
import { createBackup } from '../../../src/backup/createBackup.ts';
import { type Moved, moveToPostgres } from '../../../src/backup/moveToPostgres.ts';
import { restoreBackup } from '../../../src/backup/restoreBackup.ts';
import { verifyBackup } from '../../../src/backup/verifyBackup.ts';
import { config } from '../../../src/kernel/config.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const BACKUP_COMMANDS: AdminCommand[] = [
  {
    name: 'backup',
    usage: 'FOLDER',
    about: 'writes a backup of everything into a new folder, also while the product runs',
    needs: 'settings',
    async run([folder, ...more], { showProgress }) {
      if (!folder || more.length > 0) throw new WrongArguments();
      const { files, counts, journalBytes, secretKey } = await createBackup(config, folder, showParts(showProgress));
      const bytes = Object.values(files).reduce((sum, file) => sum + file.bytes, 0);
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const key =
        secretKey === 'in the backup'
          ? 'It contains the key of stored secrets: keep it as you keep a password.'
          : 'It does not contain SECRET_KEY, without which its secrets cannot be read. Keep that apart.';
      return `${path.resolve(folder)}: ${rows} rows, ${journalBytes} bytes of clicks that are not in the store yet, ${megabytes(bytes)}.\n${key}`;
    },
  },
  {
    name: 'verify',
    usage: 'FOLDER [--scratch=FOLDER]',
    about: 'restores a backup into a scratch store, compares it with what was backed up, and decrypts a secret',
    needs: 'settings',
    async run(args, { showProgress }) {
      const scratch = args.find((arg) => arg.startsWith('--scratch='))?.slice('--scratch='.length);
      const [folder, ...more] = args.filter((arg) => !arg.startsWith('--scratch='));
      if (!folder || more.length > 0) throw new WrongArguments();
      return (await verifyBackup(config, path.resolve(folder), showParts(showProgress), scratch)).join('\n');
    },
  },
  {
    name: 'restore',
    usage: 'FOLDER [--replace]',
    about:
      'restores a backup into DATA_DIR or DATABASE_URL; the product must be stopped. --replace moves a store aside',
    needs: 'stopped',
    async run(args) {
      const [folder, ...more] = args.filter((arg) => arg !== '--replace');
      if (!folder || more.length > 0) throw new WrongArguments();
      return (await restoreBackup(config, path.resolve(folder), args.includes('--replace'))).join('\n');
    },
  },
  {
    name: 'move-to-postgres',
    usage: 'URL',
    about: 'copies the SQLite store of DATA_DIR into an empty PostgreSQL database; the product must be stopped',
    needs: 'stopped',
    async run([url, ...more], { showProgress }) {
      if (!url || more.length > 0 || !/^postgres(ql)?:\/\//.test(url)) throw new WrongArguments();
      return nextSteps(await moveToPostgres(config, url, showParts(showProgress)), url);
    },
  },
];

/** What to do after a move. The key itself is not shown: terminals and logs keep what is printed. */
function nextSteps({ counts, journalBytes, keyFile }: Moved, url: string): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const lines = Object.entries(counts).filter(([, count]) => count > 0);
  const key = keyFile ? `SECRET_KEY=   the content of ${keyFile}` : 'SECRET_KEY    as it is now';
  return [
    ...lines.map(([table, count]) => `  ${table.padEnd(22)} ${count}`),
    `${rows} rows are in PostgreSQL; every table has as many as in SQLite. The SQLite store is as it was.`,
    'Set this, in every process, and start:',
    `  DATABASE_URL=${withoutPassword(url)}`,
    `  ${key}`,
    `Keep DATA_DIR ${path.resolve(config.dataDir)} for a process that serves links: ${journalBytes} bytes of clicks wait there for the first start.`,
  ].join('\n');
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}

/** Between two lines about the same part, so that a log of an hour stays short. */
const QUIET_MS = 10_000;

/** Shows how far each part is. */
function showParts(show: (line: string) => void): (part: string, share: number) => void {
  let last = { part: '', atMs: 0 };
  return (part, share) => {
    const isNews = part !== last.part || share === 1;
    if (!isNews && performance.now() - last.atMs < QUIET_MS) return;
    last = { part, atMs: performance.now() };
    show(`${part}: ${Math.floor(share * 100)} %`);
  };
}
