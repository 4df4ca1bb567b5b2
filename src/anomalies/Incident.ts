/** Fewer people than usual, more of them, or more bots and scanners. */
export type Direction = 'drop' | 'spike' | 'bot_flood';

/** A stretch of hours in which traffic is not as usual. */
export interface Incident {
  direction: Direction;
  fromHour: number;
  /** The first hour that is as usual again; null: it goes on. */
  untilHour: number | null;
  /** It lasted so long that it is what is usual now. */
  isUsualNow: boolean;
}
