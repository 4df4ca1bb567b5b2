import type { Direction } from '../../../src/anomalies/decide/Track.ts';
import type { Traffic } from './makeTraffic.ts';

/** Told of once, when it begins; hours count from the first of the traffic. */
export interface Told {
  direction: Direction;
  /** The hour after which it was told. */
  at: number;
  /** The hour it began in, and the first after its end as it was told; null: it went on. */
  from: number;
  until: number | null;
}

/** Goes through traffic hour by hour, without looking ahead, and tells what it would have raised alerts for. */
export type Detector = (traffic: Traffic) => Told[];
