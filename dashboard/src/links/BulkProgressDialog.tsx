import { Button, Progress, Stack } from '@mantine/core';
import { formatExact } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import styles from './BulkProgressDialog.module.css';
import type { Bulk } from './useBulk.ts';

/** Failures of one cause are told as well by these as by a hundred thousand. */
const SHOWN = 200;

/** How far a change of many links is, and which of them were refused and why. */
export function BulkProgressDialog({ bulk: { state, stop, close } }: { bulk: Bulk }) {
  if (!state) return null;
  const { total, progress, isRunning } = state;
  const { failures, done, found } = progress;
  const part = found ?? done;
  const words = found === null ? t.links.bulk.running : t.links.bulk.collecting;
  return (
    <Dialog opened onClose={isRunning ? stop : close} title={isRunning ? t.links.bulk.working : t.links.bulk.failures}>
      <Stack>
        {isRunning ? (
          <>
            <Progress value={(100 * part) / Math.max(total, 1)} aria-label={t.links.bulk.working} />
            <span role="status">{words(formatExact(part), formatExact(total))}</span>
            <Button variant="default" onClick={stop}>
              {t.links.bulk.stop}
            </Button>
          </>
        ) : (
          <>
            <p role="alert">{t.links.bulk.failed(formatExact(failures.length), failures.length)}</p>
            <ul className={styles.failures}>
              {failures.slice(0, SHOWN).map(({ shortUrl, message }) => (
                <li key={shortUrl}>
                  <b>{shortUrl}</b> <span lang="en">{message}</span>
                </li>
              ))}
            </ul>
            {failures.length > SHOWN ? <p>{t.links.bulk.moreFailures(formatExact(failures.length - SHOWN))}</p> : null}
            <Button onClick={close}>{t.common.close}</Button>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
