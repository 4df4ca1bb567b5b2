import { Group, Stack } from '@mantine/core';
import type { ComponentType } from 'react';
import { formatExact, formatMoney } from '../kernel/numbers.ts';
import { formatDuration } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { IconActivity, IconLink, IconPhone } from '../ui/icons.ts';
import { Chip } from '../ui/StateChip.tsx';
import { Time } from '../ui/Time.tsx';
import styles from './apps.module.css';
import { InstallLink } from './installCells.tsx';
import { type AppEvent, LISTED, type Step, type TimelineData, timelineOf } from './timelineOf.ts';

const ICONS: Record<Step['kind'], ComponentType<{ size: number }>> = {
  click: IconLink,
  open: IconPhone,
  event: IconActivity,
};

/** From the click to the last event, with the time between them. */
export function Timeline({ install }: { install: TimelineData }) {
  const { install: texts } = t.apps;
  const steps = timelineOf(install);
  const isCut = install.opens.length === LISTED || install.events.length === LISTED;
  return (
    <Stack>
      <ol className={styles.steps}>
        {steps.map((step, index) => {
          const Icon = ICONS[step.kind];
          const before = steps[index - 1];
          return (
            <li key={step.key}>
              {before ? <span className={styles.gap}>{gapText(before, step)}</span> : null}
              <Icon size={16} aria-hidden />
              <div>
                <Group gap="4px 12px">
                  <What step={step} />
                  <Time at={step.at} />
                </Group>
                {step.kind === 'event' ? <Properties event={step.event} /> : null}
              </div>
            </li>
          );
        })}
      </ol>
      {isCut ? <div className={styles.soft}>{texts.newest(LISTED)}</div> : null}
      {install.opens.length === 0 ? <div className={styles.soft}>{texts.purged}</div> : null}
    </Stack>
  );
}

function gapText(before: Step, step: Step): string {
  const gap = Date.parse(step.at) - Date.parse(before.at);
  return gap < 1000 ? t.apps.install.sameTime : t.apps.install.later(formatDuration(gap));
}

function What({ step }: { step: Step }) {
  const { install: texts } = t.apps;
  if (step.kind === 'click') return <b>{texts.click}</b>;
  if (step.kind === 'open') {
    const { kind, linkId, link, appVersion } = step.open;
    return (
      <>
        <b>{texts.opened[kind]}</b>
        {linkId && kind !== 'install' ? (
          <span>
            {texts.byLink} <InstallLink install={{ linkId, link: link ?? null }} />
          </span>
        ) : null}
        {appVersion ? <span className={styles.soft}>{t.apps.installs.version(appVersion)}</span> : null}
      </>
    );
  }
  const { name, value, currency, isOutlier } = step.event;
  return (
    <>
      <b>{name}</b>
      {value === null ? null : <span>{currency ? formatMoney(value, currency) : formatExact(value)}</span>}
      {isOutlier ? <Chip tone="warn">{texts.outlier}</Chip> : null}
    </>
  );
}

function Properties({ event: { properties } }: { event: AppEvent }) {
  if (!properties || Object.keys(properties).length === 0) return null;
  return (
    <details>
      <summary>{t.apps.install.properties}</summary>
      <Code text={JSON.stringify(properties)} what={t.apps.install.properties} language="json" />
    </details>
  );
}
