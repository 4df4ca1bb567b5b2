import { hostname } from 'node:os';
import { type Logger, pino } from 'pino';
import { clock } from './clock.ts';
import { type Outage, OutageLog } from './outageLog.ts';

/** Fields that are redacted in every logged object, down to its third level. */
const REDACTED = ['password', 'secret', 'key', 'token', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** Writes JSON lines; in a terminal pino-pretty formats them. */
export const log: Logger = pino({
  level: 'info',
  base: null,
  redact: { paths: REDACTED, censor: '[redacted]' },
  hooks: {
    logMethod(given, write, level) {
      const [fields, message] = given as unknown as [{ err?: unknown }, string];
      const error = level >= WARN ? fields?.err : undefined;
      // Whoever asks for debug lines wants each failure with its stack.
      const outage = error instanceof Error && !this.isLevelEnabled('debug') ? outageOf(error) : null;
      if (outage) outages[outage].record(error as Error, message);
      else write.apply(this, given);
    },
  },
  ...(process.stdout.isTTY
    ? { transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l', ignore: 'role,host,pid' } } }
    : {}),
});

/** The number of pino's level warn. */
const WARN = 40;

let outageOf: (error: Error) => Outage | null = () => null;

function outageLog(outage: Outage): OutageLog {
  return new OutageLog(outage, (level, fields, message) => log[level](fields, message));
}

const outages: Record<Outage, OutageLog> = { store: outageLog('store'), disk: outageLog('disk') };

/** Tells which errors mean that the store or the disk is away. They are summed up instead of logged one by one. */
export function sumUpOutages(find: (error: Error) => Outage | null): void {
  outageOf = find;
}

let isNamed = false;

/** Has each line say which process wrote it, for logs that several processes share. */
export function nameProcess(role: string): void {
  if (isNamed) return;
  isNamed = true;
  for (const logger of [log, plain]) logger.setBindings({ role, host: hostname(), pid: process.pid });
}

const plain = log.child({}, { level: 'trace', redact: [] });

/**
 * Logs at level debug without redaction, for events that happen thousands of times a second: redaction takes longer than
 * writing the line. The fields must not hold secrets.
 */
export function debugLine(fields: Record<string, string | number | boolean | null>, message: string): void {
  if (log.isLevelEnabled('debug')) plain.debug(fields, message);
}

const GAP_MS = 60_000;

/** Passes on each kind of warning at most once a minute, or in another time. */
export class WarningThrottle {
  readonly #warn: ((message: string) => void) | undefined;
  readonly #warnedAt = new Map<string, number>();

  readonly #gapMs: number;

  constructor(warn: ((message: string) => void) | undefined, gapMs = GAP_MS) {
    this.#warn = warn;
    this.#gapMs = gapMs;
  }

  warn(kind: string, message: string): void {
    const now = clock.now();
    const before = this.#warnedAt.get(kind);
    // The clock may have been set back.
    if (before !== undefined && now - before < this.#gapMs && now >= before) return;
    this.#warnedAt.set(kind, now);
    this.#warn?.(message);
  }
}
