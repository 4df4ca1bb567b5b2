import { decideHour } from '../../../src/anomalies/decide/decideHour.ts';
import { type Incident, makeTrack } from '../../../src/anomalies/decide/Track.ts';
import type { Told } from './Detector.ts';
import type { Traffic } from './makeTraffic.ts';

/** As many hours as the product looks back. */
const LOOKED_BACK = 9 * 168;

/** What the product does, without its store. */
export function ourRule({ people, robots, judgedFrom }: Traffic): Told[] {
  const told: (Told & { incident: Incident })[] = [];
  const firstHour = people.findIndex((count) => count > 0);
  for (let hour = judgedFrom; hour < people.length; hour += 1) {
    const from = Math.max(0, hour + 1 - LOOKED_BACK);
    const incidents = told.map(({ incident }) => incident);
    const ofPeople = incidents.filter(({ direction }) => direction !== 'bot_flood');
    const ofRobots = incidents.filter(({ direction }) => direction === 'bot_flood');
    const watched = {
      people: makeTrack(from, people.slice(from, hour + 1), ofPeople),
      robots: makeTrack(from, robots.slice(from, hour + 1), ofRobots),
      firstHour,
    };
    const open = incidents.filter(({ untilHour }) => untilHour === null);
    const { began, ended } = decideHour(watched, open, hour);
    for (const { incident } of ended) {
      const one = told.find(
        ({ direction, from: began }) => direction === incident.direction && began === incident.fromHour,
      );
      if (one) Object.assign(one, { incident, until: incident.untilHour });
    }
    for (const { incident } of began)
      told.push({ direction: incident.direction, at: hour, from: incident.fromHour, until: null, incident });
  }
  return told;
}
