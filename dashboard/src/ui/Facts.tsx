import type { ReactNode } from 'react';
import styles from './Facts.module.css';

export interface Fact {
  name: string;
  /** Null or empty: the fact is left out. */
  value: ReactNode;
  /** It takes a whole row. */
  isWide?: boolean;
}

/** What is known of a thing, as names with their values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value, isWide }) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name} className={`${styles.fact} ${isWide ? styles.wide : ''}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
