/**
 * What simulated traffic is like. None of these numbers was measured by us: they are guesses, on the side that makes judging
 * harder. Ranges are drawn from evenly, pairs of [median, sigma] are log-normal.
 */
export const ASSUMPTIONS = {
  /** Clicks of people in an hour, on average. */
  sizes: [30, 100, 1000, 10_000],
  /** Weeks before an incident may be planted, and weeks that are judged. */
  firstWeeks: 4,
  judgedWeeks: 12,
  /** How much the busiest hour of a day lies above the mean, and a second wave (lunch, evening). */
  dayWave: [0.45, 0.85],
  secondWave: [0, 0.3],
  /** Weekends beside other days: of shops and of business software. */
  weekend: { consumer: [0.7, 1.25], business: [0.15, 0.5] },
  business: 0.35,
  /** Change in a week, as a share. */
  growth: [-0.06, 0.1],
  /** Beyond chance: each hour by itself, hours together (half of it is left after so many), and whole days. */
  hourNoise: [0.06, 0.2],
  slowNoise: [0.04, 0.12],
  slowHours: 5,
  dayNoise: [0.02, 0.08],
  /** In a year: public holidays, on which a day is as a Sunday, times; quiet weekends, times. */
  holidaysAYear: 10,
  holiday: [0.75, 1.1],
  quietWeekendsAYear: 5,
  quietWeekend: [0.5, 0.8],
  /** Slow drifts: in a year, over so many hours, to so many times as much; and back in as many. */
  driftsAYear: 2,
  driftHours: [240, 720],
  drift: [0.6, 1.6],
  /** Clocks change once in the judged weeks. */
  clockChange: 0.5,
  /** Campaigns in a year: so many times as much at their beginning, falling to nothing in so many hours. They are incidents. */
  campaignsAYear: 6,
  campaign: [2, 6],
  campaignHours: [6, 36],
  /** Projects that begin within the judged weeks, and the hours in which they reach their size. */
  young: 0.15,
  youngHours: [48, 504],
  /** Bots and scanners beside people, their bursts in a year and how many times as many those are. */
  robots: [0.03, 0.25],
  robotBurstsAYear: 40,
  robotBurst: [2, 4],
  /** Planted in a project of the judged weeks; at least three days lie between them. */
  planted: 4,
} as const;

/** What is planted. `strength`: of people the factor that is left or reached, of robots that of all usual traffic. */
export const PLANTED = {
  drop: { strengths: [0, 0.15, 0.3, 0.5], hours: [1, 3, 8, 24] },
  spike: { strengths: [2, 3, 5, 10], hours: [1, 3, 8, 24] },
  bot_flood: { strengths: [1.5, 3, 10], hours: [1, 3, 8] },
} as const;

/** What has to be found. */
export function isStrong(direction: keyof typeof PLANTED, strength: number): boolean {
  return direction === 'drop' ? strength <= 0.3 : strength >= 3;
}
