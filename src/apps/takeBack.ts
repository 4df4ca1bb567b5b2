import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { installKey, type Opening } from './Opening.ts';
import type { OpeningFacts } from './openingFacts.ts';
import type { InstallRow } from './writeInstalls.ts';

/** A guess that is taken back: another install brought the token of the click that it was made of. */
export interface Revision {
  /** As it is from now on. */
  install: InstallRow;
  /** The guess that was made. */
  linkId: string | null;
  attributedAt: Date | null;
}

const NO_MATCH = { method: 'none' as const, confidence: 0, factors: [{ name: 'guess_taken_back', points: 0 }] };
const UNLED = {
  clickedAt: null,
  clickId: null,
  linkId: null,
  attributedAt: null,
  domain: null,
  slug: null,
  origin: null,
};

/**
 * Takes back what an install was guessed to come from, after `opening` brought the token of the click; nothing where it
 * was no guess. Later openings are told so; whoever was told of the guess is not told again.
 */
export function takeBack(installId: string, opening: Opening, facts: OpeningFacts): Revision[] {
  const key = installKey({ projectId: opening.projectId, installId });
  const guessed = facts.installs.get(key);
  if (!guessed || installId === opening.installId || guessed.method !== 'probabilistic') return [];
  const at = new Date(opening.atMs);
  const install: InstallRow = { ...guessed, ...NO_MATCH, ...UNLED, matchRevisedAt: at, updatedAt: at };
  facts.installs.set(key, install);
  const { firstOpenId: openId, linkId, attributedAt } = guessed;
  if (openId && facts.answers.has(openId))
    facts.answers.set(openId, { openId, match: { ...NO_MATCH, clickedAt: null }, link: null });
  return [{ install, linkId, attributedAt }];
}

const COLUMNS = {
  project_id: 'text',
  install_id: 'text',
  link_id: 'text',
  since: 'time',
  factors: 'json',
} as const;
const FIGURES = 'link_id = NULL, domain = NULL, slug = NULL, origin = NULL';

/** Takes guesses out of the figures: of the openings that they were made for, and of what the apps reported since. */
export async function writeRevisions(revisions: readonly Revision[], transaction: Transaction): Promise<void> {
  const rows = revisions.map(({ install: { projectId, installId, factors }, linkId, attributedAt }) => {
    return [projectId, installId, linkId, attributedAt && sqlTime(attributedAt.getTime()), JSON.stringify(factors)];
  });
  const update = (table: string, sets: string, where: string) =>
    withJsonRows(
      COLUMNS,
      rows,
      `UPDATE ${table} SET ${sets} FROM given WHERE ${table}.project_id = given.project_id
         AND ${table}.install_id = given.install_id AND ${table}.link_id = given.link_id AND ${where}`,
      transaction,
    );
  const none = `method = 'none', confidence = 0, factors = given.factors, clicked_at = NULL, click_id = NULL`;
  await update('opens', `${none}, ${FIGURES}`, "opens.method = 'probabilistic'");
  await update('app_events', FIGURES, 'app_events.received_at >= given.since');
}
