import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startBoss } from '../jobs/boss.ts';
import { dropTemplates } from '../jobs/dropTemplates.ts';
import { PARTS, pgliteVersion } from '../jobs/emptyJobStore.ts';
import { queuesOf } from '../jobs/queues.ts';
import { JOBS } from '../jobs/table.ts';
import { config, loadConfig } from '../src/kernel/config.ts';

/** Part of the build: makes the empty job store that a first start copies, unless the one that is there is the same. */
const TO = 'dist/job-store';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const from = [lock.packages['node_modules/pg-boss'].version, queuesOf(JOBS), 'without templates'];
const madeBy = `${pgliteVersion()}\n${createHash('sha256').update(JSON.stringify(from)).digest('hex')}\n`;
const stamp = path.join(TO, PARTS.madeBy);

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== madeBy) {
  loadConfig({ LOG_LEVEL: 'error' });
  const folder = mkdtempSync('dist/job-store-');
  const { stop } = await startBoss({ ...config, dataDir: folder, databaseUrl: null }, JOBS);
  await stop();
  renameSync(path.join(folder, 'jobs'), path.join(folder, PARTS.data));
  const data = path.join(folder, PARTS.data);
  await dropTemplates(data);
  const folders = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ parentPath, name }) => path.relative(data, path.join(parentPath, name)));
  const empty = names.filter((name) => readdirSync(path.join(data, name)).length === 0);
  writeFileSync(
    path.join(folder, PARTS.emptyFolders),
    empty.map((name) => `${name.replaceAll(path.sep, '/')}\n`).join(''),
  );
  writeFileSync(path.join(folder, PARTS.madeBy), madeBy);
  rmSync(TO, { recursive: true, force: true });
  renameSync(folder, TO);
}
// Connections of subjects that the table of jobs brought along.
process.exit(0);
