import type { Direction, Incident } from './Incident.ts';
import { type Judgement, judgePeople } from './judgePeople.ts';
import { judgeRobots } from './judgeRobots.ts';
import type { Track } from './Track.ts';
import * as limits from './thresholds.ts';

/** What is watched: people and robots by the hour, from the first hour that had any. */
export interface Watched {
  people: Track;
  robots: Track;
  bornHour: number;
}

/** What became of an hour: an incident that begins, or one that ends. */
export interface Change {
  incident: Incident;
  /** Of the hour that decided it. */
  judgement: Judgement;
}

/** `learning`: too little is known to judge. `people`: what the hour was like. */
export interface Outcome {
  people: Judgement | 'learning';
  began: Change[];
  ended: Change[];
}

/** Hours that are looked back for calm ones: nights may have too little traffic to tell. */
const CALM_WITHIN_HOURS = 36;

/**
 * Judges an hour. An incident begins with an hour that is far out, or with two in a row that clearly are, and ends with
 * some calm ones in a row or when it has become usual. `open`: incidents that go on, one of people and one of robots at most.
 */
export function watchHour(watched: Watched, open: readonly Incident[], hour: number): Outcome {
  const judge = judging(watched);
  const people = judge.people(hour);
  if (people === null) return { people: 'learning', began: [], ended: [] };
  const outcome: Outcome = { people, began: [], ended: [] };
  for (const judgeAt of [judge.people, judge.robots]) {
    const judgement = judgeAt(hour) as Judgement;
    const going = open.find(({ direction }) => (direction === 'bot_flood') === (judgeAt === judge.robots));
    const ended = going ? end(going, judgement, judgeAt) : null;
    if (ended) outcome.ended.push({ incident: ended, judgement });
    const began = going && !isTurned(going, judgement) ? null : begin(judgement, judgeAt);
    if (began && going && !ended) outcome.ended.push({ incident: { ...going, untilHour: hour }, judgement });
    if (began) outcome.began.push({ incident: began, judgement });
  }
  return outcome;
}

type JudgeAt = (hour: number) => Judgement | null;

/** Remembers what it has judged. */
function judging({ people, robots, bornHour }: Watched): { people: JudgeAt; robots: JudgeAt } {
  const known = new Map<number, Judgement | null>();
  const peopleAt = (hour: number) => {
    let judgement = known.get(hour);
    if (judgement === undefined) {
      judgement = hour - bornHour < limits.LEARNING_HOURS ? null : judgePeople(people, hour);
      known.set(hour, judgement);
    }
    return judgement;
  };
  const robotsAt = (hour: number) => {
    const beside = peopleAt(hour);
    return beside && judgeRobots(robots, hour, beside);
  };
  return { people: peopleAt, robots: robotsAt };
}

function begin(judgement: Judgement, judgeAt: JudgeAt): Incident | null {
  const { verdict, score, hour } = judgement;
  if (verdict === null) return null;
  const isAlone = Math.abs(score) >= limits.FAR_SCORE;
  if (!isAlone && judgeAt(hour - 1)?.verdict !== verdict) return null;
  return { direction: verdict, fromHour: isAlone ? hour : hour - 1, untilHour: null, isUsualNow: false };
}

/** A drop is followed by a spike at once, or the other way round. */
function isTurned({ direction }: Incident, { verdict }: Judgement): boolean {
  return verdict !== null && verdict !== direction;
}

function end(incident: Incident, { hour }: Judgement, judgeAt: JudgeAt): Incident | null {
  if (hour - incident.fromHour >= limits.LONGEST_HOURS) return { ...incident, untilHour: hour, isUsualNow: true };
  let [calm, first, untold] = [0, hour, 0];
  for (let at = hour; at >= incident.fromHour && at > hour - CALM_WITHIN_HOURS; at -= 1) {
    const isCalm = judgeAt(at)?.isCalm[incident.direction as Direction] ?? null;
    if (isCalm === false) return null;
    if (isCalm === null) untold += 1;
    if (untold === limits.UNTOLD_HOURS && incident.direction === 'spike')
      return { ...incident, untilHour: at, isUsualNow: false };
    if (isCalm === null) continue;
    [calm, first] = [calm + 1, at];
    if (calm === limits.CALM_HOURS[incident.direction]) return { ...incident, untilHour: first, isUsualNow: false };
  }
  return null;
}
