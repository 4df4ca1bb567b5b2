import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectPrepared } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { MatchFacts, MatchMethod } from '../events/presentMatch.ts';
import { FIGURE_COLUMNS, type Figures, figureValues } from './figures.ts';

/** An opening as it is stored. `uncollected`: webhooks are still to be told of it. */
export interface OpenRow extends MatchFacts, Figures {
  /** A UUID. */
  id: string;
  projectId: string;
  installId: string;
  kind: 'install' | 'reinstall' | 'open';
  occurredAt: number;
  clickId: string | null;
  uncollected: boolean;
}

const COLUMNS = {
  id: 'text',
  project_id: 'text',
  install_id: 'text',
  kind: 'text',
  direct: 'flag',
  occurred_at: 'time',
  method: 'text',
  confidence: 'integer',
  factors: 'json',
  clicked_at: 'time',
  click_id: 'text',
  ...FIGURE_COLUMNS,
  uncollected: 'flag',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

export async function insertOpen(open: OpenRow, transaction: Transaction): Promise<void> {
  const { id, projectId, installId, kind, method, occurredAt, confidence, factors, clickedAt, clickId } = open;
  const values = [
    ...[id, projectId, installId, kind, method === 'link', sqlTime(occurredAt)],
    ...[method, confidence, JSON.stringify(factors), clickedAt && sqlTime(clickedAt.getTime()), clickId],
    ...figureValues(open),
    open.uncollected,
  ];
  const sql = `INSERT INTO opens (${NAMES}) SELECT ${NAMES} FROM given`;
  await withJsonRows(COLUMNS, [values], sql, transaction);
}

interface Row {
  method: MatchMethod;
  confidence: number;
  factors: string | MatchFacts['factors'];
  clicked_at: string | Date | null;
  link_id: string | null;
}

/** What was answered to an opening. */
export async function findAnsweredOpen(
  id: string,
  transaction: Transaction,
): Promise<(MatchFacts & { linkId: string | null }) | null> {
  const [row] = await selectPrepared<Row>(
    'SELECT method, confidence, factors, clicked_at, link_id FROM opens WHERE id = $1',
    [id],
    transaction,
  );
  if (!row) return null;
  const { method, confidence, factors, clicked_at, link_id } = row;
  return {
    method,
    confidence,
    factors: typeof factors === 'string' ? JSON.parse(factors) : factors,
    clickedAt: clicked_at === null ? null : new Date(clicked_at),
    linkId: link_id,
  };
}
