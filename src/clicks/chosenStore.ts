import { BUILT_IN } from './builtInStore.ts';
import { CLICK_HOUSE } from './clickhouse/clickHouseStore.ts';
import { hasClickHouse } from './clickhouse/connection.ts';
import type { ClickStore } from './clickStores.ts';

/** The store of clicks that CLICKS_URL says. */
export function clickStore(): ClickStore {
  return hasClickHouse() ? CLICK_HOUSE : BUILT_IN;
}
