import { type Assessment, assessPeople, assessRobots } from './assess.ts';
import type { Direction, Incident, Track } from './Track.ts';
import * as limits from './thresholds.ts';

/** The hourly traffic of a project or link; `firstHour` is the first one that had any people. */
export interface WatchedTraffic {
  people: Track;
  robots: Track;
  firstHour: number;
}

/** An incident that begins or ends. */
export interface IncidentUpdate {
  incident: Incident;
  /** The assessment of the hour that decided it. */
  assessment: Assessment;
}

/** `people`: the assessment of the hour; `learning` as long as too little is known. */
export interface HourDecision {
  people: Assessment | 'learning';
  began: IncidentUpdate[];
  ended: IncidentUpdate[];
}

/** Hours among which calm ones are searched: nights may have too little traffic to tell. */
const CALM_WITHIN_HOURS = 36;

/**
 * Decides whether incidents begin or end with an hour. One begins with an hour that is far off, or with two in a row that are clearly
 * off, and ends after some calm hours or when it has become usual. `open`: current incidents, at most one of people and one of
 * robots.
 */
export function decideHour(watched: WatchedTraffic, open: readonly Incident[], hour: number): HourDecision {
  const assess = memoized(watched);
  const people = assess.people(hour);
  if (people === null) return { people: 'learning', began: [], ended: [] };
  const decision: HourDecision = { people, began: [], ended: [] };
  for (const assessAt of [assess.people, assess.robots]) {
    const assessment = assessAt(hour) as Assessment;
    const current = open.find(({ direction }) => (direction === 'bot_flood') === (assessAt === assess.robots));
    const ended = current ? end(current, assessment, assessAt) : null;
    if (ended) decision.ended.push({ incident: ended, assessment });
    const began = current && !isReversed(current, assessment) ? null : begin(assessment, assessAt);
    if (began && current && !ended) decision.ended.push({ incident: { ...current, untilHour: hour }, assessment });
    if (began) decision.began.push({ incident: began, assessment });
  }
  return decision;
}

type AssessAt = (hour: number) => Assessment | null;

/** Assessments of hours, each made once. */
function memoized({ people, robots, firstHour }: WatchedTraffic): { people: AssessAt; robots: AssessAt } {
  const known = new Map<number, Assessment | null>();
  const peopleAt = (hour: number) => {
    let assessment = known.get(hour);
    if (assessment === undefined) {
      assessment = hour - firstHour < limits.LEARNING_HOURS ? null : assessPeople(people, hour);
      known.set(hour, assessment);
    }
    return assessment;
  };
  const robotsAt = (hour: number) => {
    const usual = peopleAt(hour);
    return usual && assessRobots(robots, hour, usual);
  };
  return { people: peopleAt, robots: robotsAt };
}

function begin(assessment: Assessment, assessAt: AssessAt): Incident | null {
  const { verdict, score, hour } = assessment;
  if (verdict === null) return null;
  const isAlone = Math.abs(score) >= limits.FAR_SCORE;
  if (!isAlone && assessAt(hour - 1)?.verdict !== verdict) return null;
  return { direction: verdict, fromHour: isAlone ? hour : hour - 1, untilHour: null, isUsualNow: false };
}

/** Whether a drop turns into a spike, or the other way round. */
function isReversed({ direction }: Incident, { verdict }: Assessment): boolean {
  return verdict !== null && verdict !== direction;
}

function end(incident: Incident, { hour }: Assessment, assessAt: AssessAt): Incident | null {
  if (hour - incident.fromHour >= limits.LONGEST_HOURS) return { ...incident, untilHour: hour, isUsualNow: true };
  let [calm, first, undecided] = [0, hour, 0];
  for (let at = hour; at >= incident.fromHour && at > hour - CALM_WITHIN_HOURS; at -= 1) {
    const isCalm = assessAt(at)?.isCalm[incident.direction as Direction] ?? null;
    if (isCalm === false) return null;
    if (isCalm === null) undecided += 1;
    if (undecided === limits.UNDECIDED_HOURS && incident.direction === 'spike')
      return { ...incident, untilHour: at, isUsualNow: false };
    if (isCalm === null) continue;
    [calm, first] = [calm + 1, at];
    if (calm === limits.CALM_HOURS[incident.direction]) return { ...incident, untilHour: first, isUsualNow: false };
  }
  return null;
}
