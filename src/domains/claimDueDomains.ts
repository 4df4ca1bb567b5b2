import { among, amongValue } from '../db/among.ts';
import { dialect, select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { Op } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { Domain } from '../models/Domain.ts';

/** A look takes seconds: a domain that was taken and not looked at is due again after this, because of a crash. */
const LEASE_SECONDS = 60;

/** `failures` of the domains that are taken. */
export type Troubles = '= 0' | '> 0';

/** Takes up to `limit` domains that are due, longest due first, and gives them; nobody else gets them meanwhile. */
export async function claimDueDomains(troubles: Troubles, limit: number): Promise<Domain[]> {
  const nowText = sqlTime(clock.now());
  const due = await select<{ id: string }>(
    `SELECT id FROM domains WHERE next_check_at <= :now AND failures ${troubles} ORDER BY next_check_at LIMIT :limit`,
    { now: nowText, limit },
  );
  if (due.length === 0) return [];
  // Whoever changes one of them right now is not waited for: it is due the next time.
  const lock = dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const ids = amongValue(due.map(({ id }) => id));
  const taken = await inTransaction((transaction) =>
    selectBound<{ id: string }>(
      `WITH open AS (SELECT id FROM domains WHERE ${among('id', '$1')} AND next_check_at <= $2 ${lock})
       UPDATE domains SET next_check_at = $3 WHERE id IN (SELECT id FROM open) RETURNING id`,
      [ids, nowText, sqlTime(clock.now() + LEASE_SECONDS * 1000)],
      transaction,
    ),
  );
  return Domain.findAll({ where: { id: { [Op.in]: taken.map(({ id }) => id) } } });
}
