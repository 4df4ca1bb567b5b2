import { type Logger, pino } from 'pino';

/** What never reaches the log, wherever it stands in a logged object. */
const REDACTED = ['password', 'secret', 'key', 'token', 'authorization', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/** JSON lines for machines; in a terminal the same lines in colour by pino-pretty. */
export const log: Logger = pino({
  level: 'info',
  base: null,
  redact: { paths: REDACTED, censor: '[redacted]' },
  ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty', options: { translateTime: 'HH:MM:ss.l' } } } : {}),
});

const plain = log.child({}, { level: 'trace', redact: [] });

/**
 * A line of fixed fields at level debug, none of which can hold a secret, for what happens thousands of times a second: to
 * look for secrets takes longer than to write the line.
 */
export function debugLine(fields: Record<string, string | number | boolean | null>, message: string): void {
  if (log.isLevelEnabled('debug')) plain.debug(fields, message);
}
