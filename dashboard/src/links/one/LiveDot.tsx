import { useEffect, useRef } from 'react';
import { countryName } from '../../kernel/countries.ts';
import { useLiveClicks } from '../../kernel/live.ts';
import { t } from '../../texts/index.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './LinkPage.module.css';
import type { OneLink } from './LinkPage.tsx';

/** By then a click is in the figures of its link. */
const COUNTED_MS = 3_000;

interface LiveDotProps {
  link: OneLink;
  /** Clicks have been counted since the last call. It is the same function at each. */
  onCounted: () => void;
}

/** Whether clicks arrive at the moment, and the last one. */
export function LiveDot({ link, onCounted }: LiveDotProps) {
  const { clicks, isOpen } = useLiveClicks({ projectId: link.projectId, linkId: link.id });
  const { live } = t.link;
  // Clicks would arrive at once, but the link sends nobody to its destination.
  const isActive = link.status === 'active';
  const newest = clicks[0]?.click;
  useSoonAfter(newest?.id, onCounted);
  const at = newest?.occurred_at ?? link.lastClickedAt;
  return (
    <span className={styles.live} data-open={(isActive && isOpen) || undefined}>
      <span>
        {!isActive ? t.states.link[link.status] : isOpen ? live.on : live.off}
        {' · '}
        {at ? (
          <>
            {live.last} <Time at={at} />
            {newest?.country ? `, ${countryName(newest.country)}` : null}
          </>
        ) : (
          t.links.row.noClick
        )}
      </span>
    </span>
  );
}

/** Calls `run` once a while after the value has changed, however often it changes meanwhile. */
function useSoonAfter(value: string | undefined, run: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value === undefined) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      run();
    }, COUNTED_MS);
  }, [value, run]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
