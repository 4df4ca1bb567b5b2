import { seal, unseal } from '../kernel/secrets.ts';

/** Every column that holds sealed values: its table, what names the row, and a condition where not all values are sealed. */
export const SEALED_COLUMNS = {
  webhookSecrets: { table: 'webhooks', column: 'secrets', key: ['id'], where: null },
  secondFactor: { table: 'users', column: 'totp_secret', key: ['id'], where: null },
  mailContent: { table: 'mails', column: 'content', key: ['id'], where: null },
  storedAnswer: {
    table: 'idempotency_records',
    column: 'body',
    key: ['key_id', 'idempotency_key'],
    where: 'is_sealed',
  },
  firstAccount: { table: 'first_account', column: 'sealed', key: ['id'], where: null },
  visitorKey: { table: 'visitor_keys', column: 'key', key: ['day'], where: null },
} as const;

export type SealedColumn = keyof typeof SEALED_COLUMNS;

/** Seals a value for the row that `ids` name, in the order of the column's `key`. */
export function sealFor(name: SealedColumn, ids: readonly string[], plain: string): string {
  return seal(plain, placeOf(name, ids));
}

/** Opens a value of that row. Throws when it was sealed for another one, or by a key that is not known any more. */
export function unsealFor(name: SealedColumn, ids: readonly string[], sealed: string): string {
  return unseal(sealed, placeOf(name, ids));
}

function placeOf(name: SealedColumn, ids: readonly string[]): string {
  const { table, column } = SEALED_COLUMNS[name];
  return [table, column, ...ids].join(':');
}
