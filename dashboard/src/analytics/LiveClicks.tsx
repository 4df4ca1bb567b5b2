import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { withoutScheme } from '../kernel/addresses.ts';
import { countryName } from '../kernel/countries.ts';
import { type LiveClick, useLiveClicks } from '../kernel/live.ts';
import { formatExact } from '../kernel/numbers.ts';
import { formatClock } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { IconPause, IconPlay } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import { Chip } from '../ui/StateChip.tsx';
import styles from './analytics.module.css';

interface LiveClicksProps {
  projectId: string;
  linkId?: string;
}

const SHOWN = 12;
const ANNOUNCE_MS = 10_000;

/** Clicks as they happen, with a pause for whoever reads them. */
export function LiveClicks({ projectId, linkId }: LiveClicksProps) {
  const { clicks, skipped, isOpen } = useLiveClicks({ projectId, ...(linkId === undefined ? {} : { linkId }) });
  const [paused, setPaused] = useState<readonly LiveClick[] | null>(null);
  const shown = (paused ?? clicks).slice(0, SHOWN);
  const { liveClicks: live } = t.link;
  return (
    <Card
      title={live.title}
      actions={
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={paused ? <IconPlay size={14} /> : <IconPause size={14} />}
          onClick={() => setPaused(paused ? null : clicks)}
        >
          {paused ? live.resume : live.pause}
        </Button>
      }
    >
      {shown.length === 0 ? <p className={styles.soft}>{isOpen ? live.empty : live.off}</p> : null}
      <ul className={styles.live}>
        {shown.map((one) => (
          <li key={one.click.id}>
            <time dateTime={one.click.occurred_at}>{formatClock(one.click.occurred_at)}</time>
            <b>{withoutScheme(one.link.short_url)}</b>
            <Chip tone={one.click.traffic_class === 'human' ? 'good' : 'soft'}>
              {t.link.clicks.classes[one.click.traffic_class]}
            </Chip>
            <span className={styles.soft}>{aboutOf(one)}</span>
            {one.why ? (
              <span className={styles.soft} lang="en">
                {one.why}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {skipped > 0 ? <p className={styles.soft}>{live.skipped(formatExact(skipped))}</p> : null}
      <Announcement count={clicks.length === 0 ? 0 : clicks.length + skipped} newest={clicks[0]?.click.id ?? null} />
    </Card>
  );
}

function aboutOf({ click: { country, city, platform, referrer_host } }: LiveClick): string {
  const place = [city, country === null ? null : countryName(country)].filter(Boolean).join(', ');
  const system = t.states.platforms[platform as keyof typeof t.states.platforms] ?? platform;
  return [place, system, referrer_host].filter(Boolean).join(' · ');
}

/** Tells screen readers of new clicks, politely and not more often than every ten seconds. */
function Announcement({ count, newest }: { count: number; newest: string | null }) {
  const [said, setSaid] = useState('');
  const told = useRef({ count: 0, at: 0 });
  useEffect(() => {
    if (newest === null) return;
    const wait = Math.max(0, told.current.at + ANNOUNCE_MS - Date.now());
    const timer = setTimeout(() => {
      setSaid(t.link.liveClicks.count(Math.max(count - told.current.count, 1)));
      told.current = { count, at: Date.now() };
    }, wait);
    return () => clearTimeout(timer);
  }, [newest, count]);
  return (
    <span role="status" className="visually-hidden">
      {said}
    </span>
  );
}
