import { seededRandom } from '../random.ts';
import { ASSUMPTIONS, type Assumptions } from './assumptions.ts';
import { Draws } from './Draws.ts';
import type { FleetEvent } from './events.ts';
import { makeEvents } from './makeEvents.ts';
import { makePeople } from './makePeople.ts';
import type { Person } from './Person.ts';

export interface Fleet {
  people: Person[];
  events: FleetEvent[];
  assumed: Assumptions;
}

/** A midnight (UTC) from which on two days are simulated. */
export const START_MS = Date.parse('2026-03-10T00:00:00.000Z');

/** The same seed, number and assumptions give the same fleet. */
export function makeFleet(seed: number, count: number, changed: Partial<Assumptions> = {}): Fleet {
  const assumed = { ...ASSUMPTIONS, ...changed };
  const draws = new Draws(seededRandom(seed));
  const people = makePeople(draws, count, START_MS, assumed);
  return { people, events: makeEvents(draws, people, START_MS, assumed), assumed };
}

/** Phones, tablets and desktops. */
export function devicesOf(people: readonly Person[]): number {
  return people.reduce((sum, { pad, desktop }) => sum + 1 + (pad ? 1 : 0) + (desktop ? 1 : 0), 0);
}
