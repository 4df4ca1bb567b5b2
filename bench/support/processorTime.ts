import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second. */
const TICKS = 100;

interface Times {
  name: string;
  /** CPU-seconds of the process itself, and of its children that have ended. */
  own: number;
  ofEnded: number;
}

/** Null when the process has ended. */
function timesOf(pid: number | string): Times | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [start, end] = [stat.indexOf('('), stat.lastIndexOf(')')];
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
      .slice(end + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    const name = stat.slice(start + 1, end);
    return { name, own: (user + system) / TICKS, ofEnded: (endedUser + endedSystem) / TICKS };
  } catch {
    return null;
  }
}

/** CPU-seconds that a process has used; 0 when it has ended. */
export function processSeconds(pid: number): number {
  return timesOf(pid)?.own ?? 0;
}

/** CPU-seconds that all processes of the PostgreSQL on this machine have used, those that ended included. */
export function postgresCpuSeconds(): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all
    .map(timesOf)
    .reduce((sum, times) => (times?.name === 'postgres' ? sum + times.own + times.ofEnded : sum), 0);
}

/** Resident MiB of a process. */
export function residentMiB(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
