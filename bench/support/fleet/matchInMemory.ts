import {
  type Candidate,
  chooseClick,
  MARGIN,
  type ScoredClick,
  siblingsOf,
} from '../../../src/attribution/decide/chooseClick.ts';
import type { DeviceFacts } from '../../../src/attribution/decide/compareDevices.ts';
import {
  MAX_CLICKS_READ,
  othersAtAddress,
  type SeenInstall,
  visitorsAmong,
} from '../../../src/attribution/decide/peopleAtAddress.ts';
import { POINTS, type Points, THRESHOLD } from '../../../src/attribution/decide/score.ts';
import type { ClickDevice, MatchClick } from '../../../src/clicks/matchClickStore.ts';
import type { PlaceOf } from '../../../src/geo/geoip.ts';
import { dayOf } from '../../../src/kernel/clock.ts';
import { parseVisitor } from '../../../src/routing/visitor.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import type { ClickEvent, FleetEvent, OpenEvent } from './events.ts';
import { sharedPart } from './Network.ts';

/** What may be tried otherwise than the product does. */
export interface Rules {
  threshold: number;
  margin: number;
  sharedVisitors: number;
  windowMs: number;
  /** Whether network data says that many share the address. */
  isKnownShared: (address: string) => boolean;
  /** What would be known of a click beside its request, or could be read from it. */
  more: (click: ClickEvent) => Partial<ClickDevice>;
  points: Points;
}

/** As the product does where nothing is set and no network data is there. */
export const DEFAULT_RULES: Rules = {
  threshold: THRESHOLD,
  margin: MARGIN,
  sharedVisitors: 8,
  windowMs: ASSUMPTIONS.windowSeconds * 1000,
  isKnownShared: () => false,
  more: () => ({}),
  points: POINTS,
};

/** What an opening was traced back to. */
export interface Guess {
  click: ClickEvent;
  score: number;
  /** For those who look into it. */
  weighed: ScoredClick;
  others: number;
}

interface Known extends MatchClick {
  event: ClickEvent;
}

/** What each opening is traced back to by the pure functions of the matcher, without a store; null: nothing. */
export function matchInMemory(
  events: readonly FleetEvent[],
  placeOf: PlaceOf,
  changed: Partial<Rules> = {},
): Map<OpenEvent, Guess | null> {
  const rules = { ...DEFAULT_RULES, ...changed };
  const clicks = new Map<string, Known[]>();
  const seen = new Map<string, SeenInstall[]>();
  const found = new Map<OpenEvent, Guess | null>();
  for (const event of events) {
    const key = `${event.tenant} ${sharedPart(event.address)}`;
    const there = clicks.get(key) ?? [];
    if (event.kind === 'open') {
      const before = seen.get(key) ?? [];
      if (event.isFirst) found.set(event, match(event, there, before, rules));
      seen.set(key, [...before, { ...deviceOf(event), installId: event.installId }]);
    } else if (isHuman(event)) clicks.set(key, [...there, knownOf(event, placeOf, rules)]);
  }
  return found;
}

function match(open: OpenEvent, there: readonly Known[], before: readonly SeenInstall[], rules: Rules): Guess | null {
  const today = dayOf(open.atMs);
  const ofDay = (day: number) => there.filter(({ clickedAt }) => dayOf(clickedAt) === day);
  const looked = [today, today - 1].flatMap((day) => ofDay(day).slice(-MAX_CLICKS_READ));
  const visitors = visitorsAmong(looked, open.atMs);
  const isShared = rules.isKnownShared(open.address) || visitors > rules.sharedVisitors;
  const candidates = looked.map((click): Candidate => ({ click, windowMs: rules.windowMs, linkState: 'good' }));
  const othersBeside = othersAtAddress(looked, before, deviceOf(open));
  const { chosen } = chooseClick(candidates, deviceOf(open), { isShared, countOthers: othersBeside }, rules);
  if (chosen === null) return null;
  const click = chosen.click as Known;
  const others = othersBeside(click);
  for (const used of [click, ...(siblingsOf(click, looked) as Known[])]) used.usedBy = open.installId;
  return { click: click.event, score: chosen.score, weighed: chosen, others };
}

function isHuman({ agent }: ClickEvent): boolean {
  return parseVisitor({ userAgent: agent }, 'GET').trafficClass === 'human';
}

function knownOf(event: ClickEvent, placeOf: PlaceOf, { more }: Rules): Known {
  const { agent, acceptLanguage, address, atMs, link, tenant } = event;
  const visitor = parseVisitor({ userAgent: agent, acceptLanguage }, 'GET');
  return {
    clickId: String(atMs),
    linkId: `${tenant} ${link}`,
    visitor: `${dayOf(atMs)} ${address} ${agent}`,
    clickedAt: atMs,
    platform: visitor.platform,
    osVersion: visitor.osVersion,
    deviceModel: visitor.deviceModel,
    language: visitor.language,
    country: placeOf(address).country,
    timezone: null,
    screen: null,
    usedBy: null,
    ...more(event),
    event,
  };
}

function deviceOf({ phone: { told }, atMs }: OpenEvent): DeviceFacts {
  const { platform, os_version, device_model, language, timezone, screen } = told;
  return { platform, osVersion: os_version, deviceModel: device_model, language, timezone, screen, openedAt: atMs };
}
