import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { compareClicks } from '../../apps/compareClicks.ts';
import { explainMatch } from '../../apps/explainMatch.ts';
import type { Comparing } from '../../apps/Found.ts';
import { matchByComparing } from '../../apps/matchByComparing.ts';
import { whyOff } from '../../apps/whyOff.ts';
import { type MatchFacts, matchOf } from '../../events/presentMatch.ts';
import { clock } from '../../kernel/clock.ts';
import { deviceOf, type OpenInput } from '../apps/prepareOpening.ts';
import { surroundings } from '../apps/surroundings.ts';
import { candidatesOf, type ShownReport } from './explainInstall.ts';
import { type SimulatedClick, simulatedClicks } from './simulatedClicks.ts';

export interface SimulateInput {
  click: SimulatedClick;
  otherClicks?: SimulatedClick[] | null;
  open: Omit<OpenInput, 'installId' | 'firstOpen'> & { address?: string | null };
  addressVisitors?: number | null;
}

/** What would be found for a made-up first opening without a token, by the rules of the project. Writes nothing. */
export async function simulateMatch(
  principal: Principal,
  projectId: string,
  { click, otherClicks, open, addressVisitors }: SimulateInput,
): Promise<ShownReport> {
  const project = await authorizeProject(principal, 'installs:write', projectId);
  const atMs = clock.now();
  const device = deviceOf(open, atMs);
  const off = whyOff(project, device, open.consent !== false);
  const address = open.address ?? click.address ?? null;
  const found = await simulatedClicks(projectId, [click, ...(otherClicks ?? [])], address, atMs);
  const asked = {
    device,
    atMs,
    sharedNetwork: address === null ? null : surroundings().networkOf(address),
    windowMs: project.matchWindowSeconds * 1000,
  };
  const told = addressVisitors ? { visitors: addressVisitors, othersBeside: () => addressVisitors - 1 } : {};
  const comparing = off === null ? compareClicks(asked, { ...found, ...told }) : null;
  const match = comparing ? matchByComparing(comparing) : unmatched(off as string);
  const report = explainMatch({ device, tokens: [] }, { ...match, comparing });
  return {
    installId: null,
    match: matchOf(match),
    matchRevisedAt: null,
    ...chosenOf(comparing),
    ...report,
    candidates: candidatesOf(report),
  };
}

function unmatched(why: string): MatchFacts {
  return { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
}

function chosenOf(comparing: Comparing | null): { clickId: string | null; linkId: string | null } {
  const { clickId = null, linkId = null } = comparing?.choice.chosen?.click ?? {};
  return { clickId, linkId };
}
