import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Play, Stage } from '../Play.ts';

const LONE_MS = 5000;

/** Restarts all seven processes, one after the other: the next one when the proxy sends requests to the one before again. */
async function restartAll({ installation }: Stage): Promise<string> {
  const startedAt = performance.now();
  for (const process of installation.processes) {
    await process.stop();
    await process.start();
    if (process.role !== 'worker') await installation.front.untilUp(process.port);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  return `${installation.processes.length} processes restarted in ${seconds} s, each ended with code 0`;
}

/** One redirect process is killed and does not come back; its clicks are moved to the store by the admin command. */
async function loseRedirect({ installation }: Stage): Promise<string> {
  const [lost] = installation.of('redirect').slice(-1);
  if (!lost) throw new Error('There is no redirect process');
  await lost.kill();
  await delay(LONE_MS);
  const said = await installation.admin(lost, 'drain', lost.dataDir);
  await delay(LONE_MS);
  await rm(lost.dataDir, { recursive: true });
  await installation.dataDir(lost.name);
  await lost.start();
  await installation.front.untilUp(lost.port);
  const moved = /(\d+) clicks moved/.exec(said)?.[1] ?? 'no';
  return `kill -9, ${moved} clicks moved from its folder`;
}

export const RESTARTS: Play[] = [
  { name: 'rolling', about: 'rolling restart of all, behind HAProxy', failsNothing: true, run: restartAll },
  { name: 'lost', about: 'a redirect process lost for good, its folder drained', run: loseRedirect },
];

export const BEHIND_CADDY: Play[] = [
  {
    name: 'rollingCaddy',
    about: 'rolling restart of all, behind Caddy',
    needs: { front: 'caddy' },
    failsNothing: true,
    run: restartAll,
  },
];
