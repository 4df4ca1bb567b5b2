import { type ClicksOfAddress } from '../../apps/compareClicks.ts';
import { readModels } from '../../db/readModels.ts';
import type { Verdict } from '../../matching/choose.ts';
import type { Screen } from '../../matching/deviceFacts.ts';
import type { MatchClick } from '../../matching/matchClicks.ts';
import { Link } from '../../models/Link.ts';
import { parseVisitor } from '../../routing/visitor.ts';
import { surroundings } from '../apps/surroundings.ts';
import { linkIdOf } from '../links/findLink.ts';

/** A click as the browser of a phone makes it. */
export interface SimulatedClick {
  userAgent: string;
  acceptLanguage?: string | null;
  /** The same as that of the opening where one of them is not told. */
  address?: string | null;
  secondsBefore?: number | null;
  /** A link of the project, or any word. */
  link?: string | null;
  timezone?: string | null;
  screen?: Partial<Screen> | null;
}

const SECONDS_BEFORE = 60;
/** Of clicks that name no link: they are all on one. */
const SOME_LINK = 'link';

/** Clicks as the store would have them, under names that say where they stand in the question. */
export async function simulatedClicks(
  projectId: string,
  given: SimulatedClick[],
  address: string | null,
  atMs: number,
): Promise<ClicksOfAddress & { visitors: number }> {
  const links = new Map<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>();
  const clicks: MatchClick[] = [];
  const obstacles = new Map<string, Verdict>();
  for (const [at, click] of given.entries()) {
    const linkId = await linkOf(projectId, click.link ?? SOME_LINK, links);
    const made = clickOf(click, at === 0 ? 'click' : `other_clicks.${at - 1}`, linkId, address, atMs);
    clicks.push(made.click);
    if (made.obstacle) obstacles.set(made.click.clickId, made.obstacle);
  }
  const here = clicks.filter(({ clickId }) => !obstacles.has(clickId));
  return { clicks, links, obstacles, visitors: new Set(here.map(({ visitor }) => visitor)).size };
}

/** Its id; a word that is none of the project's links stands for one with the project's rules. */
async function linkOf(
  projectId: string,
  reference: string,
  links: Map<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>,
): Promise<string> {
  const id = await linkIdOf(projectId, reference);
  const [link] = await readModels(Link, 'id = $1 AND project_id = $2', [id, projectId]);
  links.set(link?.id ?? reference, link ?? { matchWindowSeconds: null, flaggedAt: null });
  return link?.id ?? reference;
}

function clickOf(given: SimulatedClick, clickId: string, linkId: string, address: string | null, atMs: number) {
  const { userAgent, acceptLanguage, secondsBefore, timezone, screen } = given;
  const agent = parseVisitor({ userAgent, acceptLanguage: acceptLanguage ?? undefined }, 'GET');
  const from = given.address ?? address;
  const { width = null, height = null, scale = null } = screen ?? {};
  const click: MatchClick = {
    clickId,
    linkId,
    visitor: userAgent,
    clickedAt: atMs - (secondsBefore ?? SECONDS_BEFORE) * 1000,
    platform: agent.platform,
    osVersion: agent.osVersion,
    deviceModel: agent.deviceModel,
    language: agent.language,
    country: from === null ? null : surroundings().placeOf(from).country,
    timezone: timezone ?? null,
    screen: screen ? { width, height, scale } : null,
    usedBy: null,
  };
  const obstacle = agent.trafficClass !== 'human' ? NOT_A_PERSON : isElsewhere(given.address, address, atMs);
  return { click, obstacle };
}

const NOT_A_PERSON: Verdict = 'not_a_person';

/** By the hashes that the store would look by: of IPv6 the network counts. */
function isElsewhere(ofClick: string | null | undefined, ofOpen: string | null, atMs: number): Verdict | null {
  if (!ofClick || ofOpen === null) return null;
  const { keys } = surroundings();
  const hashOf = (address: string) => keys.hashes(address, '', atMs).addressHash;
  return hashOf(ofClick) === hashOf(ofOpen) ? null : 'other_address';
}
