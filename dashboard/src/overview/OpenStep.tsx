import { Button } from '@mantine/core';
import { useLiveClicks } from '../kernel/live.ts';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { IconCheck, IconOpen } from '../ui/icons.ts';
import { onDemand } from '../ui/onDemand.tsx';
import type { SetupData } from './operations.ts';
import styles from './overview.module.css';

const QrPicture = onDemand(() => import('../links/public.ts').then(({ QrPicture }) => QrPicture));

/** The newest link, to be scanned or opened, and what came of it. */
export function OpenStep({ data }: { data: SetupData }) {
  const [newest] = data.newest.data;
  const { open } = t.overview.steps;
  if (!newest) return <p>{open.noLink}</p>;
  return (
    <div className={styles.form}>
      <p>{isOnThisMachine(newest.shortUrl) ? open.aboutHere : open.about}</p>
      <div className={styles.qr}>
        <QrPicture shortUrl={newest.shortUrl} />
      </div>
      <div className={styles.row}>
        <b className={styles.url}>{newest.shortUrl}</b>
        <CopyButton text={newest.shortUrl} what={t.links.shortUrl} />
        <Button
          component="a"
          href={newest.shortUrl}
          target="_blank"
          rel="noopener noreferrer"
          leftSection={<IconOpen size={16} />}
        >
          {open.action}
        </Button>
      </div>
      <LastClick hasClicks={data.clicked.data.some(({ clicks }) => clicks > 0)} />
    </div>
  );
}

/** The newest click as it arrives: a person or not, and why. */
function LastClick({ hasClicks }: { hasClicks: boolean }) {
  const { clicks } = useLiveClicks({ projectId: useProjectId() });
  const { open } = t.overview.steps;
  const [last] = clicks;
  if (!last) {
    return (
      <p role="status" className={styles.soft}>
        {hasClicks ? open.seen : open.waiting}
      </p>
    );
  }
  const kind = t.link.clicks.classes[last.click.traffic_class];
  return (
    <p role="status" className={styles.result}>
      <IconCheck size={16} aria-hidden />
      <span>
        {open.arrived(kind)} {last.why === null ? open.person : <span lang="en">{last.why}</span>}
        {last.why === null ? null : ` ${open.notCounted}`}
      </span>
    </p>
  );
}

/** A phone would look for the link on itself. */
function isOnThisMachine(shortUrl: string): boolean {
  return /^(localhost|.+\.localhost|127\..+|\[::1\])$/.test(new URL(shortUrl).hostname);
}
