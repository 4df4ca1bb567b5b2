import type { Json, JsonObject } from '../kernel/graphql.ts';
import { t } from '../texts/index.ts';
import styles from './Changes.module.css';
import { Time } from './Time.tsx';

interface ChangesProps {
  /** Of an entry of the audit log: `{changes: {field: {from, to}}}`, and what else is known of it. */
  details: JsonObject;
  /** The word for a value that is not there. */
  nothing: string;
}

/** What an entry of the audit log says beside who and when: each changed field from → to, then further values. */
export function Changes({ details: { changes = {}, ...others }, nothing }: ChangesProps) {
  const changed = Object.entries(changes as Record<string, { from: Json; to: Json }>);
  if (changed.length === 0 && Object.keys(others).length === 0) return null;
  return (
    <dl className={styles.changes}>
      {changed.map(([field, { from, to }]) => (
        <div key={field} className={styles.change}>
          <dt>{wordsOf(field)}</dt>
          <dd>
            <del>
              <Value value={from} nothing={nothing} />
            </del>{' '}
            →{' '}
            <ins>
              <Value value={to} nothing={nothing} />
            </ins>
          </dd>
        </div>
      ))}
      {Object.entries(others).map(([field, value]) => (
        <div key={field} className={styles.change}>
          <dt>{wordsOf(field)}</dt>
          <dd>
            <Value value={value} nothing={nothing} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

function Value({ value, nothing }: { value: Json; nothing: string }) {
  if (value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)) return nothing;
  if (typeof value === 'boolean') return value ? t.common.yes : t.common.no;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  if (isFlat(value))
    return Object.entries(value)
      .filter(([, one]) => one !== null)
      .map(([field, one]) => `${wordsOf(field)} ${one}`)
      .join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return INSTANT.test(value) ? <Time at={value} /> : value;
}

/** Whether it holds no lists or objects, such as counts: it can be said without brackets. */
function isFlat(value: Json): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

/** `match_window_seconds`, as the API spells a field, as words. */
function wordsOf(field: string): string {
  return field.replaceAll('_', ' ');
}
