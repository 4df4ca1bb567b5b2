// stores: none
import { expect } from 'chai';
import { decideHour } from '../../../src/anomalies/decide/decideHour.ts';
import { type Direction, type Incident, makeTrack } from '../../../src/anomalies/decide/Track.ts';

const WEEK = 168;
const HISTORY = 5 * WEEK;
/** A Monday at midnight. */
const FIRST = Date.UTC(2026, 0, 5) / 3_600_000;

interface Hour {
  /** Since the first. */
  at: number;
  ofDay: number;
  day: number;
}

type Shape = (hour: Hour) => number;

const hourAt = (at: number): Hour => ({ at, ofDay: at % 24, day: Math.floor(at / 24) });
/** A little more and a little less, always the same way. */
const jitter = (at: number) => 1 + (((at * 7919) % 21) - 10) / 100;
const flat: Shape = ({ at }) => 100 * jitter(at);
const daily: Shape = ({ at, ofDay }) => 100 * (1 + 0.8 * Math.sin(((ofDay - 9) / 12) * Math.PI)) * jitter(at);
const office: Shape = (hour) => daily(hour) * (hour.day % 7 >= 5 ? 0.2 : 1);

interface Case {
  people: Shape;
  robots?: Shape;
  /** Hours after the history. */
  hours?: number;
  bornAt?: number;
}

/** What is told of the hours after the history: hour and direction of what begins, and the hour from which it is over. */
function told({
  people,
  robots = () => 5,
  hours = 48,
  bornAt = 0,
}: Case): [Direction, from: number, until: number | null][] {
  const incidents: Incident[] = [];
  const series = (shape: Shape, end: number) =>
    Array.from({ length: end }, (_, at) => (at < bornAt ? 0 : Math.round(shape(hourAt(at)))));
  for (let at = HISTORY; at < HISTORY + hours; at += 1) {
    const ofPeople = incidents.filter(({ direction }) => direction !== 'bot_flood');
    const ofRobots = incidents.filter(({ direction }) => direction === 'bot_flood');
    const watched = {
      people: makeTrack(FIRST, series(people, at + 1), ofPeople),
      robots: makeTrack(FIRST, series(robots, at + 1), ofRobots),
      firstHour: FIRST + bornAt,
    };
    const open = incidents.filter(({ untilHour }) => untilHour === null);
    const { began, ended } = decideHour(watched, open, FIRST + at);
    for (const { incident } of ended)
      Object.assign(open.find(({ direction }) => direction === incident.direction) as Incident, incident);
    incidents.push(...began.map(({ incident }) => incident));
  }
  return incidents.map(({ direction, fromHour, untilHour }) => [
    direction,
    fromHour - FIRST - HISTORY,
    untilHour === null ? null : untilHour - FIRST - HISTORY,
  ]);
}

/** The shape, but for hours of the judged time. */
function but(shape: Shape, from: number, until: number, times: number): Shape {
  return (hour) => shape(hour) * (hour.at >= HISTORY + from && hour.at < HISTORY + until ? times : 1);
}

describe('an hour of traffic', () => {
  const table: [what: string, given: Case, expected: ReturnType<typeof told>][] = [
    ['is as usual', { people: daily }, []],
    ['is as usual at a weekend', { people: office, hours: WEEK }, []],
    ['that drops to nothing is told at once', { people: but(flat, 5, 8, 0) }, [['drop', 5, 8]]],
    ['that drops to 20 % is one incident, not one an hour', { people: but(flat, 5, 29, 0.2) }, [['drop', 5, 29]]],
    ['that drops to 75 % is none', { people: but(flat, 5, 29, 0.75) }, []],
    ['with thrice the people is a spike', { people: but(flat, 5, 9, 3) }, [['spike', 5, 9]]],
    ['with a few more is none', { people: but(flat, 5, 9, 1.4) }, []],
    ['with many bots is a flood', { people: flat, robots: but(() => 100, 5, 9, 4) }, [['bot_flood', 5, 9]]],
    ['with some more bots is none', { people: flat, robots: but(() => 20, 5, 9, 4) }, []],
    [
      'of a night without anybody does not end a drop',
      { people: but(daily, 10, 44, 0), hours: 60 },
      [['drop', 10, 44]],
    ],
    ['of a holiday like a Sunday is none', { people: but(office, 0, 24, 0.25) }, []],
    ['of an office that fails at noon is a drop', { people: but(office, 12, 15, 0.1), hours: 30 }, [['drop', 12, 15]]],
    ['of a project with few clicks is none', { people: but((hour) => flat(hour) / 10, 5, 29, 0) }, []],
    [
      'of a project of some days is none',
      { people: but(flat, 5, 29, 0), bornAt: HISTORY - 10 * 24, robots: but(() => 5, 5, 9, 200) },
      [],
    ],
    [
      'that is an hour early is none (clocks)',
      { people: (hour) => daily(hourAt(hour.at + (hour.at >= HISTORY ? 1 : 0))) },
      [],
    ],
  ];
  for (const [what, given, expected] of table)
    it(what, () => {
      expect(told(given)).to.deep.equal(expected);
    });

  it('grows by 10 % a week without an alarm', () => {
    expect(told({ people: (hour) => daily(hour) * 1.1 ** (hour.at / WEEK), hours: 2 * WEEK })).to.deep.equal([]);
  });

  it('of an incident is no example for the weeks after it', () => {
    const people = but(but(flat, 5, 20, 0.1), 5 + WEEK, 20 + WEEK, 0.1);
    expect(told({ people, hours: WEEK + 48 })).to.deep.equal([
      ['drop', 5, 20],
      ['drop', 5 + WEEK, 20 + WEEK],
    ]);
  });

  it('is usual again once it has stayed so for three days', () => {
    expect(told({ people: but(flat, 5, WEEK * 2, 0.3), hours: WEEK + 100 })).to.deep.equal([['drop', 5, 77]]);
  });
});
