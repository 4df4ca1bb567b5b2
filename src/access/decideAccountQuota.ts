/** At most `max` links in any period of `windowMinutes`. */
export interface AccountLimit {
  windowMinutes: number;
  max: number;
}

/** The links that a team made in one minute; minutes are numbered from the epoch. */
export interface MinuteCount {
  minute: number;
  count: number;
}

export interface QuotaDecision<Limit extends AccountLimit> {
  granted: number;
  /** The limit that was reached and eases last, and the first minute in which it allows a link again; null when all were granted. */
  reached: { limit: Limit; easesAtMinute: number } | null;
}

/**
 * How many of `wanted` links may be made in `minute`, after those in `made` (oldest first). A minute counts until all of
 * it has left the window, so that no period of the window's length holds more than `max`, wherever it begins.
 */
export function decideQuota<Limit extends AccountLimit>(
  limits: readonly Limit[],
  made: readonly MinuteCount[],
  wanted: number,
  minute: number,
): QuotaDecision<Limit> {
  const rooms = limits.map((limit) => roomUnder(limit, made, minute));
  const granted = Math.min(wanted, ...rooms);
  if (granted === wanted) return { granted, reached: null };
  const after = [...made, { minute, count: granted }];
  const [reached = null] = limits
    .filter((_, index) => rooms[index] === granted)
    .map((limit) => ({ limit, easesAtMinute: easesAt(limit, after, minute) }))
    .sort((one, other) => other.easesAtMinute - one.easesAtMinute);
  return { granted, reached };
}

/** How many links count against a limit, and the first minute in which it allows one again; null while it allows one. */
export function quotaUse(
  limit: AccountLimit,
  made: readonly MinuteCount[],
  minute: number,
): { used: number; easesAtMinute: number | null } {
  const used = total(counted(limit, made, minute));
  return { used, easesAtMinute: used < limit.max ? null : easesAt(limit, made, minute) };
}

function counted({ windowMinutes }: AccountLimit, made: readonly MinuteCount[], minute: number): MinuteCount[] {
  return made.filter((row) => row.minute >= minute - windowMinutes);
}

function roomUnder(limit: AccountLimit, made: readonly MinuteCount[], minute: number): number {
  return Math.max(0, limit.max - total(counted(limit, made, minute)));
}

function easesAt(limit: AccountLimit, made: readonly MinuteCount[], minute: number): number {
  const rows = counted(limit, made, minute);
  let left = total(rows);
  for (const row of rows) {
    left -= row.count;
    if (left < limit.max) return row.minute + limit.windowMinutes + 1;
  }
  return minute;
}

function total(made: readonly MinuteCount[]): number {
  return made.reduce((sum, { count }) => sum + count, 0);
}
