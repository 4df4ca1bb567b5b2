import styles from './HeaderList.module.css';

interface HeaderListProps {
  headers: Readonly<Record<string, string>>;
  /** What they are the headers of. */
  name: string;
}

/** Headers as they were sent. Those of receivers are anybody's text. */
export function HeaderList({ headers, name }: HeaderListProps) {
  return (
    <dl className={styles.list} aria-label={name}>
      {Object.entries(headers).map(([header, value]) => (
        <div key={header} className={styles.row}>
          <dt>{header}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
