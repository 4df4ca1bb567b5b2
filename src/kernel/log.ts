import { type Logger, pino } from 'pino';
import { clock } from './clock.ts';

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
  ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } } : {}),
});

const plain = log.child({}, { level: 'trace', redact: [] });

/**
 * Logs at level debug without redaction, for events that happen thousands of times a second: redaction takes longer than
 * writing the line. The fields must not hold secrets.
 */
export function debugLine(fields: Record<string, string | number | boolean | null>, message: string): void {
  if (log.isLevelEnabled('debug')) plain.debug(fields, message);
}

const GAP_MS = 60_000;

/** Passes on each kind of warning at most once a minute. */
export class WarningThrottle {
  readonly #warn: ((message: string) => void) | undefined;
  readonly #warnedAt = new Map<string, number>();

  constructor(warn: ((message: string) => void) | undefined) {
    this.#warn = warn;
  }

  warn(kind: string, message: string): void {
    const now = clock.now();
    const before = this.#warnedAt.get(kind);
    if (before !== undefined && now - before < GAP_MS) return;
    this.#warnedAt.set(kind, now);
    this.#warn?.(message);
  }
}
