import { allowInProject, authorizeProject } from '../access/authorize.ts';
import { teamOf } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { readRows } from '../db/rows.ts';
import { clock } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { Install } from '../models/Install.ts';
import { type MatchFacts, matchOf } from '../models/match.ts';
import type { Project } from '../models/Project.ts';
import { attributionContext } from './context.ts';
import { type ClicksOfAddress, compareClicks, matchFromComparison, whyNotCompared } from './decide/compareClicks.ts';
import { eraseInstall } from './eraseInstall.ts';
import { explainMatch, type MatchReport, REASONS, RULES } from './explainMatch.ts';
import { findMatchReport } from './matchReportsStore.ts';
import { deviceOf, type OpenInput } from './prepareOpening.ts';
import { type SimulatedClick, simulatedClicks } from './simulatedClicks.ts';

export type { TokenSource } from './clickTokens.ts';
export type { Verdict } from './decide/chooseClick.ts';

export type ShownInstall = ReturnType<typeof shownInstall>;

/** A match report as the API shows it, with the match itself. */
interface ShownReport extends Omit<MatchReport, 'candidates'> {
  /** Null for a simulation. */
  installId: string | null;
  match: ReturnType<typeof matchOf>;
  matchRevisedAt: Date | null;
  clickId: string | null;
  linkId: string | null;
  candidates: (Omit<MatchReport['candidates'][number], 'clickedAt'> & { clickedAt: Date })[];
}

interface SimulateInput {
  click: SimulatedClick;
  otherClicks?: SimulatedClick[] | null;
  open: Omit<OpenInput, 'installId' | 'firstOpen'> & { address?: string | null };
  addressVisitors?: number | null;
}

/** One install. Throws `not_found`, also for an install of another project. */
export async function findInstall(principal: Principal, projectId: string, id: string): Promise<ShownInstall> {
  await allowInProject(principal, 'installs:read', projectId);
  return shownInstall(await loadInstall(projectId, id));
}

/** Why an install matched or did not. Throws `not_found`. */
export async function explainInstall(principal: Principal, projectId: string, id: string): Promise<ShownReport> {
  await allowInProject(principal, 'installs:read', projectId);
  const install = await loadInstall(projectId, id);
  const report = (await findMatchReport(projectId, install.installId)) ?? emptyReport(install);
  const { installId, clickId, linkId, matchRevisedAt } = install;
  const why = matchRevisedAt === null ? report.why : (REASONS.guess_taken_back as string);
  const match = matchOf(install);
  return { installId, match, matchRevisedAt, clickId, linkId, ...report, why, candidates: candidatesOf(report) };
}

/**
 * What an invented first opening without a token would match, by the rules of the project. Stores nothing. Throws
 * `not_found`.
 */
export async function simulateMatch(
  principal: Principal,
  projectId: string,
  input: SimulateInput,
): Promise<ShownReport> {
  return simulate(await authorizeProject(principal, 'installs:write', projectId), input);
}

/** The same for everyone who may read installs, in survival mode too: nothing changes. Throws `not_found`. */
export async function readSimulatedMatch(
  principal: Principal,
  projectId: string,
  input: SimulateInput,
): Promise<ShownReport> {
  return simulate(await authorizeProject(principal, 'installs:read', projectId), input);
}

async function simulate(
  project: Project,
  { click, otherClicks, open, addressVisitors }: SimulateInput,
): Promise<ShownReport> {
  const context = attributionContext();
  const atMs = clock.now();
  const device = deviceOf(open, atMs);
  const obstacle = whyNotCompared(project, device, open.consent !== false);
  const address = open.address ?? click.address ?? null;
  const simulated = await simulatedClicks(project.id, [click, ...(otherClicks ?? [])], { address, atMs, context });
  const clicks: ClicksOfAddress = addressVisitors
    ? { ...simulated, visitors: addressVisitors, countOthers: () => addressVisitors - 1 }
    : simulated;
  const sharedNetwork = address === null ? null : context.networkOf(address);
  const opening = { device, atMs, sharedNetwork, windowMs: project.matchWindowSeconds * 1000 };
  const comparison = obstacle === null ? compareClicks(opening, clicks) : null;
  const match = comparison ? matchFromComparison(comparison) : unmatched(obstacle as string);
  const report = explainMatch({ device, tokens: [] }, { ...match, comparison });
  const { clickId = null, linkId = null } = comparison?.choice.chosen?.click ?? {};
  const shown = { installId: null, match: matchOf(match), matchRevisedAt: null, clickId, linkId };
  return { ...shown, ...report, candidates: candidatesOf(report) };
}

/**
 * Deletes everything that is stored about an install; the audit entry does not name it. Throws `not_found`. A deletion that
 * was interrupted can be repeated.
 */
export async function deleteInstall(principal: Principal, projectId: string, id: string): Promise<boolean> {
  await allowInProject(principal, 'installs:write', projectId);
  await eraseInstall(await loadInstall(projectId, id), async (transaction) => {
    const { teamId } = await teamOf(projectId, transaction);
    await recordAudit(transaction, principal, { action: 'install.deleted', teamId, projectId });
  });
  return true;
}

/** Finds an install by its id, or by the UUID of its SDK. Throws `not_found`. The caller has authorized the principal. */
async function loadInstall(projectId: string, id: string): Promise<Install> {
  const [column, value] = isId('ins', id) ? ['id', id] : ['install_id', id.toLowerCase()];
  const [install] = await readRows(Install, `${column} = $1 AND project_id = $2`, [value, projectId]);
  if (!install) throw notFound('install');
  return install;
}

/** An install as the API shows it. */
export function shownInstall(install: Install) {
  const { id, projectId, installId, platform, appVersion, osVersion, firstOpenedAt } = install;
  const { clickId, linkId, matchRevisedAt, createdAt, updatedAt } = install;
  return {
    ...{ id, projectId, installId, platform, appVersion, osVersion, firstOpenedAt },
    match: matchOf(install),
    ...{ matchRevisedAt, clickId, linkId, createdAt, updatedAt },
  };
}

function emptyReport({ installedAt }: Install): MatchReport {
  const why = installedAt === null ? (REASONS.not_first_open as string) : REPORT_PURGED;
  return { why, ...RULES, margin: null, address: null, tokens: [], device: null, candidates: [] };
}

const REPORT_PURGED = 'The report on this match is no longer kept.';

function candidatesOf({ candidates }: MatchReport): ShownReport['candidates'] {
  return candidates.map((candidate) => ({ ...candidate, clickedAt: new Date(candidate.clickedAt) }));
}

function unmatched(why: string): MatchFacts {
  return { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
}
