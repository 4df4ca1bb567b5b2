import { among, amongValue } from '../db/among.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
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

export async function insertOpens(opens: readonly OpenRow[], transaction: Transaction): Promise<void> {
  const sql = `INSERT INTO opens (${NAMES}) SELECT ${NAMES} FROM given`;
  await withJsonRows(COLUMNS, opens.map(valuesOf), sql, transaction);
}

function valuesOf(open: OpenRow): unknown[] {
  const { id, projectId, installId, kind, method, occurredAt, confidence, factors, clickedAt, clickId } = open;
  return [
    ...[id, projectId, installId, kind, method === 'link', sqlTime(occurredAt)],
    ...[method, confidence, JSON.stringify(factors), clickedAt && sqlTime(clickedAt.getTime()), clickId],
    ...figureValues(open),
    open.uncollected,
  ];
}

/** What was answered to an opening. */
export type Answered = MatchFacts & { linkId: string | null };

interface Row {
  id: string;
  method: MatchMethod;
  confidence: number;
  factors: string | MatchFacts['factors'];
  clicked_at: string | Date | null;
  link_id: string | null;
}

/** What was answered to openings, by their ids. */
export async function readAnswers(ids: readonly string[], transaction: Transaction): Promise<Map<string, Answered>> {
  if (ids.length === 0) return new Map();
  const rows = await selectBound<Row>(
    `SELECT id, method, confidence, factors, clicked_at, link_id FROM opens WHERE ${among('id', '$1')}`,
    [amongValue(ids)],
    transaction,
  );
  return new Map(rows.map((row) => [row.id, answered(row)]));
}

function answered({ method, confidence, factors, clicked_at, link_id }: Row): Answered {
  const clickedAt = clicked_at === null ? null : new Date(clicked_at);
  const parsed = typeof factors === 'string' ? JSON.parse(factors) : factors;
  return { method, confidence, factors: parsed, clickedAt, linkId: link_id };
}
