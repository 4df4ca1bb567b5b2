/** So many links at most in any stretch of so many minutes. */
export interface AccountLimit {
  windowMinutes: number;
  most: number;
}

/** Links that a team made in one minute, counted from the epoch. */
export interface Made {
  minute: number;
  count: number;
}

export interface Quota<Limit extends AccountLimit> {
  granted: number;
  /** Why not all were granted: the limit that eases last, and the first minute in which it leaves room for a link. */
  reached: { limit: Limit; easesAtMinute: number } | null;
}

/**
 * How many of `wanted` links may be made in `minute`, after those in `made` (oldest first). A minute counts until all of
 * it is past the window: so no stretch of that length holds more, wherever it begins.
 */
export function decideQuota<Limit extends AccountLimit>(
  limits: readonly Limit[],
  made: readonly Made[],
  wanted: number,
  minute: number,
): Quota<Limit> {
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

function counted({ windowMinutes }: AccountLimit, made: readonly Made[], minute: number): Made[] {
  return made.filter((row) => row.minute >= minute - windowMinutes);
}

function roomUnder(limit: AccountLimit, made: readonly Made[], minute: number): number {
  return Math.max(0, limit.most - total(counted(limit, made, minute)));
}

function easesAt(limit: AccountLimit, made: readonly Made[], minute: number): number {
  const rows = counted(limit, made, minute);
  let left = total(rows);
  for (const row of rows) {
    left -= row.count;
    if (left < limit.most) return row.minute + limit.windowMinutes + 1;
  }
  return minute;
}

function total(made: readonly Made[]): number {
  return made.reduce((sum, { count }) => sum + count, 0);
}
