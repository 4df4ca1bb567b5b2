import type { QueryInterface, Transaction } from 'sequelize';
import { firstTables } from './0001-first-tables.ts';
import { clickTables } from './0002-click-tables.ts';
import { apiTables } from './0003-api-tables.ts';
import { linkSearch } from './0004-link-search.ts';
import { scan } from './0005-scan.ts';
import { eventLists } from './0006-event-lists.ts';
import { importTables } from './0007-imports.ts';
import { lanes } from './0008-lanes.ts';
import { blockTables } from './0009-blocks.ts';
import { appTables } from './0010-app-tables.ts';
import { watching } from './0011-watching.ts';
import { compressedAnswers } from './0012-compressed-answers.ts';
import { peopleAndKeys } from './0013-people-and-keys.ts';
import { publicKeys } from './0014-public-keys.ts';
import { namesAndLists } from './0015-names-and-lists.ts';
import { firstAccount } from './0016-first-account.ts';
import { attemptsAsSent } from './0017-attempts-as-sent.ts';
import { guessesTakenBack } from './0018-guesses-taken-back.ts';
import { deliveryFigures } from './0019-delivery-figures.ts';
import { deletions } from './0020-deletions.ts';
import { leaving } from './0021-leaving.ts';
import { installLists } from './0022-install-lists.ts';
import { purgeMarks } from './0023-purge-marks.ts';
import { managedBy } from './0024-managed-by.ts';
import { awaitedClicks } from './0025-awaited-clicks.ts';
import { clickArrivals } from './0026-click-arrivals.ts';
import { webhookBatches } from './0027-webhook-batches.ts';
import { outboxReader } from './0028-outbox-reader.ts';
import { clickJournals } from './0029-click-journals.ts';
import { clickQueue } from './0030-click-queue.ts';
import { clickShares } from './0031-click-shares.ts';
import { linkFollows } from './0032-link-follows.ts';
import { webhookMakers } from './0033-webhook-makers.ts';
import { secondFactorUndos } from './0034-second-factor-undos.ts';

/** An index of a table that may have many rows already. */
export interface BigIndex {
  name: string;
  /** Table, columns and condition: `links (team_id, id) WHERE archived_at IS NULL`. */
  on: string;
}

export interface Migration {
  name: string;
  /**
   * `expand`: processes of the release before go on working after it. `contract`: they do not, so none may run any more.
   * `first`: from the time before releases could run beside each other. See docs/upgrade.md.
   */
  kind: 'first' | 'expand' | 'contract';
  up(tables: QueryInterface, transaction: Transaction): Promise<void>;
  /** Indexes of tables that may be large already; see `makeIndexes`. */
  indexes?: readonly BigIndex[];
}

/**
 * In the order in which they run. A migration that has landed is never edited; a change is a new one. From 0026 on the order of
 * the kinds matters too: what the release before needs is removed by a later release only.
 */
export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-first-tables', kind: 'first', up: firstTables },
  { name: '0002-click-tables', kind: 'first', up: clickTables },
  { name: '0003-api-tables', kind: 'first', up: apiTables },
  { name: '0004-link-search', kind: 'first', up: linkSearch },
  { name: '0005-scan', kind: 'first', up: scan },
  { name: '0006-event-lists', kind: 'first', up: eventLists },
  { name: '0007-imports', kind: 'first', up: importTables },
  { name: '0008-lanes', kind: 'first', up: lanes },
  { name: '0009-blocks', kind: 'first', up: blockTables },
  { name: '0010-app-tables', kind: 'first', up: appTables },
  { name: '0011-watching', kind: 'first', up: watching },
  { name: '0012-compressed-answers', kind: 'first', up: compressedAnswers },
  { name: '0013-people-and-keys', kind: 'first', up: peopleAndKeys },
  { name: '0014-public-keys', kind: 'first', up: publicKeys },
  { name: '0015-names-and-lists', kind: 'first', up: namesAndLists },
  { name: '0016-first-account', kind: 'first', up: firstAccount },
  { name: '0017-attempts-as-sent', kind: 'first', up: attemptsAsSent },
  { name: '0018-guesses-taken-back', kind: 'first', up: guessesTakenBack },
  { name: '0019-delivery-figures', kind: 'first', up: deliveryFigures },
  { name: '0020-deletions', kind: 'first', up: deletions },
  { name: '0021-leaving', kind: 'first', up: leaving },
  { name: '0022-install-lists', kind: 'first', up: installLists },
  { name: '0023-purge-marks', kind: 'first', up: purgeMarks },
  { name: '0024-managed-by', kind: 'first', up: managedBy },
  { name: '0025-awaited-clicks', kind: 'first', up: awaitedClicks },
  { name: '0026-click-arrivals', kind: 'expand', up: clickArrivals },
  { name: '0027-webhook-batches', kind: 'expand', up: webhookBatches },
  { name: '0028-outbox-reader', kind: 'expand', up: outboxReader },
  { name: '0029-click-journals', kind: 'expand', up: clickJournals },
  { name: '0030-click-queue', kind: 'expand', up: clickQueue },
  { name: '0031-click-shares', kind: 'expand', up: clickShares },
  { name: '0032-link-follows', kind: 'expand', up: linkFollows },
  { name: '0033-webhook-makers', kind: 'expand', up: webhookMakers },
  { name: '0034-second-factor-undos', kind: 'expand', up: secondFactorUndos },
];
