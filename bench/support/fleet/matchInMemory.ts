import { type Candidate, chooseClick, MARGIN, siblingsOf } from '../../../src/matching/choose.ts';
import type { ClickDevice, DeviceFacts } from '../../../src/matching/deviceFacts.ts';
import type { MatchClick } from '../../../src/matching/matchClicks.ts';
import { type AddressFacts, type Factor, scoreClick, THRESHOLD } from '../../../src/matching/score.ts';
import { MOST_CLICKS, visitorsAmong } from '../../../src/matching/sharedAddress.ts';
import type { PlaceOf } from '../../../src/redirect/places.ts';
import { parseVisitor } from '../../../src/routing/visitor.ts';
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
  /** Points of a factor, for a click so many minutes before from an address that so many visitors clicked from. */
  pointsOf: (factor: Factor, about: { minutes: number; visitors: number }) => number;
}

/** As the product does where nothing is set and no network data is there. */
export const DEFAULT_RULES: Rules = {
  threshold: THRESHOLD,
  margin: MARGIN,
  sharedVisitors: 8,
  windowMs: 3_600_000,
  isKnownShared: () => false,
  more: () => ({}),
  pointsOf: ({ points }) => points,
};

interface Known extends MatchClick {
  event: ClickEvent;
}

const DAY_MS = 86_400_000;

/** The click that each opening is traced back to by the pure functions of the matcher, without a store; null: none. */
export function matchInMemory(
  events: readonly FleetEvent[],
  placeOf: PlaceOf,
  changed: Partial<Rules> = {},
): Map<OpenEvent, ClickEvent | null> {
  const rules = { ...DEFAULT_RULES, ...changed };
  const clicks = new Map<string, Known[]>();
  const found = new Map<OpenEvent, ClickEvent | null>();
  for (const event of events) {
    const key = `${event.tenant} ${sharedPart(event.address)}`;
    const there = clicks.get(key) ?? [];
    if (event.kind === 'open') found.set(event, match(event, there, rules));
    else if (isHuman(event)) clicks.set(key, [...there, knownOf(event, placeOf, rules)]);
  }
  return found;
}

function match(open: OpenEvent, there: readonly Known[], rules: Rules): ClickEvent | null {
  const today = Math.floor(open.atMs / DAY_MS);
  const ofDay = (day: number) => there.filter(({ clickedAt }) => Math.floor(clickedAt / DAY_MS) === day);
  const looked = [today, today - 1].flatMap((day) => ofDay(day).slice(-MOST_CLICKS));
  const visitors = visitorsAmong(looked, open.atMs);
  const isShared = rules.isKnownShared(open.address) || visitors > rules.sharedVisitors;
  const chosen = choose(looked, deviceOf(open), { isShared, visitors }, rules);
  if (chosen === null) return null;
  for (const used of [chosen, ...siblingsOf(chosen, looked)]) used.usedBy = open.installId;
  return chosen.event;
}

/** The same as `chooseClick` with other numbers; with its own it is asked itself, so that both are the same. */
function choose(clicks: readonly Known[], device: DeviceFacts, address: AddressFacts, rules: Rules): Known | null {
  const { windowMs, threshold, margin, pointsOf } = rules;
  if (isDefault(rules)) {
    const candidates = clicks.map((click): Candidate => ({ click, windowMs, linkState: 'good' }));
    return (chooseClick(candidates, device, address).chosen?.click as Known | undefined) ?? null;
  }
  const weighed = clicks
    .filter(({ usedBy, platform, clickedAt }) => {
      return usedBy === null && platform === device.platform && device.openedAt - clickedAt <= windowMs;
    })
    .map((click) => {
      const minutes = (device.openedAt - click.clickedAt) / 60_000;
      const factors = scoreClick({ click, device, address });
      return {
        click,
        score: factors.reduce((sum, factor) => sum + pointsOf(factor, { minutes, visitors: address.visitors }), 0),
      };
    })
    .sort((one, other) => other.score - one.score || other.click.clickedAt - one.click.clickedAt);
  const [best] = weighed;
  if (!best || best.score < threshold) return null;
  const rival = weighed.find(({ click }) => click.linkId !== best.click.linkId);
  return rival && best.score - rival.score < margin ? null : best.click;
}

function isDefault({ threshold, margin, pointsOf }: Rules): boolean {
  return threshold === THRESHOLD && margin === MARGIN && pointsOf === DEFAULT_RULES.pointsOf;
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
    visitor: `${Math.floor(atMs / DAY_MS)} ${address} ${agent}`,
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
