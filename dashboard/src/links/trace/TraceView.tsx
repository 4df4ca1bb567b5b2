import { t } from '../../texts/index.ts';
import { IconCheck, IconMinus } from '../../ui/icons.ts';
import styles from './trace.module.css';

interface Trace {
  steps: readonly { rule: string; matched: boolean; why: string }[];
  outcome: { kind: keyof typeof t.links.trace.outcomes; destination: string | null };
}

/** Each step by which a link decides, and what the visitor gets in the end. */
export function TraceView({ trace }: { trace: Trace }) {
  const { outcome, steps } = trace;
  // The destination of an app is for people who do not have it.
  const isElse = outcome.kind === 'app' && outcome.destination !== null;
  return (
    <div className={styles.trace}>
      <p className={styles.outcome} role="status">
        <b>{isElse ? t.links.trace.appOrElse : t.links.trace.outcomes[outcome.kind]}</b>
        {outcome.destination ? <span className={styles.destination}>{outcome.destination}</span> : null}
      </p>
      <ol className={styles.steps}>
        {steps.map(({ rule, matched, why }) => (
          <li key={`${rule} ${why}`} data-matched={matched || undefined} className={styles.step}>
            {matched ? <IconCheck size={16} aria-hidden /> : <IconMinus size={16} aria-hidden />}
            <span>
              <b>{rule}</b>
              <span className="visually-hidden"> {matched ? t.links.trace.matched : t.links.trace.notMatched}</span>
              <span className={styles.why} lang="en">
                {why}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
