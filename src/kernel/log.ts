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
