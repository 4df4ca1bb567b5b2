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
import { clickQueue } from './0031-click-queue.ts';

export interface Migration {
  name: string;
  up(tables: QueryInterface, transaction: Transaction): Promise<void>;
}

/** In the order in which they run. A migration that has landed is never edited; a change is a new one. */
export const MIGRATIONS: Migration[] = [
  { name: '0001-first-tables', up: firstTables },
  { name: '0002-click-tables', up: clickTables },
  { name: '0003-api-tables', up: apiTables },
  { name: '0004-link-search', up: linkSearch },
  { name: '0005-scan', up: scan },
  { name: '0006-event-lists', up: eventLists },
  { name: '0007-imports', up: importTables },
  { name: '0008-lanes', up: lanes },
  { name: '0009-blocks', up: blockTables },
  { name: '0010-app-tables', up: appTables },
  { name: '0011-watching', up: watching },
  { name: '0012-compressed-answers', up: compressedAnswers },
  { name: '0013-people-and-keys', up: peopleAndKeys },
  { name: '0014-public-keys', up: publicKeys },
  { name: '0015-names-and-lists', up: namesAndLists },
  { name: '0016-first-account', up: firstAccount },
  { name: '0017-attempts-as-sent', up: attemptsAsSent },
  { name: '0018-guesses-taken-back', up: guessesTakenBack },
  { name: '0019-delivery-figures', up: deliveryFigures },
  { name: '0020-deletions', up: deletions },
  { name: '0021-leaving', up: leaving },
  { name: '0022-install-lists', up: installLists },
  { name: '0023-purge-marks', up: purgeMarks },
  { name: '0024-managed-by', up: managedBy },
  { name: '0025-awaited-clicks', up: awaitedClicks },
  { name: '0026-click-arrivals', up: clickArrivals },
  { name: '0027-webhook-batches', up: webhookBatches },
  { name: '0028-outbox-reader', up: outboxReader },
  { name: '0029-click-journals', up: clickJournals },
  { name: '0031-click-queue', up: clickQueue },
];
