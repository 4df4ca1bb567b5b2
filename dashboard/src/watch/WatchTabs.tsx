import { useProject } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { TabLinks } from '../ui/TabLinks.tsx';

/** Health and alerts. Health is that of a project: without one there is nothing to choose. */
export function WatchTabs({ current }: { current: 'health' | 'alerts' }) {
  const { tabs } = t.watch;
  if (!useProject()) return null;
  return (
    <TabLinks
      label={tabs.label}
      current={current}
      tabs={[
        { tab: 'health', label: tabs.health, to: '/health' },
        { tab: 'alerts', label: tabs.alerts, to: '/alerts' },
      ]}
    />
  );
}
