import type { MatchClick, Screen } from '../clicks/matchClickStore.ts';
import { readRows } from '../db/rows.ts';
import { linkIdOf } from '../links/linkReferences.ts';
import { Link } from '../models/Link.ts';
import { parseVisitor } from '../routing/visitor.ts';
import type { AttributionContext } from './context.ts';
import type { Verdict } from './decide/chooseClick.ts';
import type { ClicksOfAddress } from './decide/compareClicks.ts';

/** A click as the browser of a phone would make it. */
export interface SimulatedClick {
  userAgent: string;
  acceptLanguage?: string | null;
  /** The address of the opening if it is missing. */
  address?: string | null;
  secondsBefore?: number | null;
  /** A link of the project, or any word: clicks with the same word are on the same link. */
  link?: string | null;
  timezone?: string | null;
  screen?: Partial<Screen> | null;
}

interface SimulatedOpening {
  address: string | null;
  atMs: number;
  context: AttributionContext;
}

const DEFAULT_SECONDS_BEFORE = 60;
/** Clicks that name no link are all on this one. */
const DEFAULT_LINK = 'link';

/** The clicks as the store would return them. Their ids say which field of the input they come from. */
export async function simulatedClicks(
  projectId: string,
  inputs: SimulatedClick[],
  opening: SimulatedOpening,
): Promise<ClicksOfAddress & { visitors: number }> {
  const links = new Map<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>();
  const clicks: MatchClick[] = [];
  const obstacles = new Map<string, Verdict>();
  for (const [at, input] of inputs.entries()) {
    const clickId = at === 0 ? 'click' : `other_clicks.${at - 1}`;
    const linkId = await addLink(projectId, input.link ?? DEFAULT_LINK, links);
    const { click, obstacle } = simulatedClick(input, clickId, linkId, opening);
    clicks.push(click);
    if (obstacle) obstacles.set(clickId, obstacle);
  }
  const eligible = clicks.filter(({ clickId }) => !obstacles.has(clickId));
  return { clicks, links, obstacles, visitors: new Set(eligible.map(({ visitor }) => visitor)).size };
}

/** Returns the link's id. A word that names none of the project's links stands for a link without rules of its own. */
async function addLink(
  projectId: string,
  reference: string,
  links: Map<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>,
): Promise<string> {
  const id = await linkIdOf(projectId, reference);
  const [link] = await readRows(Link, 'id = $1 AND project_id = $2', [id, projectId]);
  links.set(link?.id ?? reference, link ?? { matchWindowSeconds: null, flaggedAt: null });
  return link?.id ?? reference;
}

function simulatedClick(input: SimulatedClick, clickId: string, linkId: string, opening: SimulatedOpening) {
  const { userAgent, acceptLanguage, secondsBefore, timezone, screen } = input;
  const agent = parseVisitor({ userAgent, acceptLanguage: acceptLanguage ?? undefined }, 'GET');
  const address = input.address ?? opening.address;
  const { width = null, height = null, scale = null } = screen ?? {};
  const click: MatchClick = {
    clickId,
    linkId,
    visitor: userAgent,
    clickedAt: opening.atMs - (secondsBefore ?? DEFAULT_SECONDS_BEFORE) * 1000,
    platform: agent.platform,
    osVersion: agent.osVersion,
    deviceModel: agent.deviceModel,
    language: agent.language,
    country: address === null ? null : opening.context.placeOf(address).country,
    timezone: timezone ?? null,
    screen: screen ? { width, height, scale } : null,
    usedBy: null,
  };
  const obstacle: Verdict | null = agent.trafficClass !== 'human' ? 'not_a_person' : addressObstacle(input, opening);
  return { click, obstacle };
}

/** Compares hashes, as the store does: for IPv6 they stand for the network. */
function addressObstacle(
  { address: ofClick }: SimulatedClick,
  { address: ofOpening, atMs, context }: SimulatedOpening,
): Verdict | null {
  if (!ofClick || ofOpening === null) return null;
  const hashOf = (address: string) => context.keys.hashes(address, '', atMs).addressHash;
  return hashOf(ofClick) === hashOf(ofOpening) ? null : 'other_address';
}
