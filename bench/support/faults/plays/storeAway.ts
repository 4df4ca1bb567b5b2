import { setTimeout as delay } from 'node:timers/promises';
import type { Play, Stage } from '../Play.ts';
import { withRecovery } from '../recovery.ts';

const FROZEN_MS = 20_000;
const KILLED_MS = 10_000;
/** How far an asynchronous standby may lag behind. */
const BEHIND_MS = 2000;
/** Until somebody, or a program, decides that the standby takes over. */
const DECISION_MS = 3000;

async function freeze({ installation }: Stage): Promise<string> {
  return withRecovery(installation, async () => {
    installation.store.freeze();
    await delay(FROZEN_MS);
    installation.store.thaw();
    return `frozen for ${FROZEN_MS / 1000} s`;
  });
}

async function kill({ installation }: Stage): Promise<string> {
  return withRecovery(installation, async () => {
    await installation.store.kill();
    await delay(KILLED_MS);
    await installation.store.start();
    return `killed, started again ${KILLED_MS / 1000} s later`;
  });
}

async function failOver({ installation }: Stage): Promise<string> {
  return withRecovery(installation, async () => {
    const { standby } = installation;
    if (!standby) throw new Error('There is no standby');
    await installation.store.kill();
    await delay(DECISION_MS);
    await standby.promote();
    installation.store = standby;
    return `killed, the standby promoted ${DECISION_MS / 1000} s later`;
  });
}

/** What the server commits in its last seconds does not reach the standby. */
async function failOverBehind(stage: Stage): Promise<string> {
  await stage.installation.standby?.stopFollowing();
  await delay(BEHIND_MS);
  return `the standby ${BEHIND_MS / 1000} s behind; ${await failOver(stage)}`;
}

export const STORE_AWAY: Play[] = [
  { name: 'frozen', about: `PostgreSQL frozen for ${FROZEN_MS / 1000} s`, run: freeze },
  { name: 'killed', about: `PostgreSQL killed for ${KILLED_MS / 1000} s`, run: kill },
];

export const FAILOVERS: Play[] = [
  {
    name: 'failoverSync',
    about: 'failover to a synchronous standby',
    needs: { standby: 'synchronous' },
    run: failOver,
  },
  {
    name: 'failoverAsync',
    about: 'failover to an asynchronous standby',
    needs: { standby: 'asynchronous' },
    mayLose: true,
    run: failOver,
  },
  {
    name: 'failoverBehind',
    about: 'failover to an asynchronous standby that lags behind',
    needs: { standby: 'asynchronous' },
    mayLose: true,
    run: failOverBehind,
  },
];
