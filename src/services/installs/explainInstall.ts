import { allowInProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { type MatchReport, RULES } from '../../apps/explainMatch.ts';
import { findReport } from '../../apps/matchReports.ts';
import { matchOf } from '../../events/presentMatch.ts';
import { REASONS } from '../../matching/reasons.ts';
import type { Install } from '../../models/Install.ts';
import { loadInstall } from './loadInstall.ts';

/** A report as the API shows it, with what came of it. */
export interface ShownReport extends Omit<MatchReport, 'candidates'> {
  /** Null for what was made up. */
  installId: string | null;
  match: ReturnType<typeof matchOf>;
  matchRevisedAt: Date | null;
  clickId: string | null;
  linkId: string | null;
  candidates: (Omit<MatchReport['candidates'][number], 'clickedAt'> & { clickedAt: Date })[];
}

/** Why an install matched or did not. Throws `not_found`. */
export async function explainInstall(principal: Principal, projectId: string, id: string): Promise<ShownReport> {
  await allowInProject(principal, 'installs:read', projectId);
  const install = await loadInstall(projectId, id);
  const report = (await findReport(projectId, install.installId)) ?? emptyReport(install);
  const { installId, clickId, linkId, matchRevisedAt } = install;
  const shown = { installId, match: matchOf(install), matchRevisedAt, clickId, linkId };
  const why = matchRevisedAt === null ? report.why : (REASONS.guess_taken_back as string);
  return { ...shown, ...report, why, candidates: candidatesOf(report) };
}

export function candidatesOf({ candidates }: MatchReport): ShownReport['candidates'] {
  return candidates.map((candidate) => ({ ...candidate, clickedAt: new Date(candidate.clickedAt) }));
}

function emptyReport({ installedAt }: Install): MatchReport {
  const why = installedAt === null ? (REASONS.not_first_open as string) : 'How it came to this is kept no longer.';
  return { why, ...RULES, margin: null, address: null, tokens: [], device: null, candidates: [] };
}
