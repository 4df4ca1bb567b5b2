import { countryName } from '../../kernel/countries.ts';
import { useLiveClicks } from '../../kernel/live.ts';
import { t } from '../../texts/index.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './LinkPage.module.css';
import type { OneLink } from './LinkPage.tsx';

/** Whether clicks arrive at the moment, and the last one. */
export function LiveDot({ link }: { link: OneLink }) {
  const { clicks, isOpen } = useLiveClicks({ projectId: link.projectId, linkId: link.id });
  const { live } = t.link;
  const newest = clicks[0]?.click;
  const at = newest?.occurred_at ?? link.lastClickedAt;
  return (
    <span className={styles.live} data-open={isOpen || undefined}>
      <span>
        {isOpen ? live.on : live.off}
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
