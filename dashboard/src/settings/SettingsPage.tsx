import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { useAsk } from '../kernel/queries.ts';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Page } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { TabLinks } from '../ui/TabLinks.tsx';
import { type OneProject, PROJECT } from './operations.ts';

const part = (load: () => Promise<ComponentType<{ project: OneProject }>>) =>
  onDemand(load, { fallback: <LoadingRows /> });

/** The parts of the page, in their order, each loaded when it is opened. */
const TABS = {
  project: part(() => import('./ProjectTab.tsx').then(({ ProjectTab }) => ProjectTab)),
  apps: part(() => import('./AppsTab.tsx').then(({ AppsTab }) => AppsTab)),
  tags: part(() => import('./TagsTab.tsx').then(({ TagsTab }) => TagsTab)),
  delete: part(() => import('./DeleteTab.tsx').then(({ DeleteTab }) => DeleteTab)),
};
type Tab = keyof typeof TABS;

export function SettingsPage() {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const id = useProjectId();
  const { data, error, refetch } = useAsk({
    about: 'projects',
    document: PROJECT,
    variables: { id },
    keepsEarlier: false,
  });
  const current: Tab = tab !== undefined && tab in TABS ? (tab as Tab) : 'project';
  const Shown = TABS[current];
  useEffect(Shown.preload, [Shown]);
  return (
    <Page title={t.settings.title} about={t.settings.about}>
      <TabLinks
        label={t.settings.tabsLabel}
        current={current}
        tabs={(Object.keys(TABS) as Tab[]).map((name) => ({
          tab: name,
          label: t.settings.tabs[name],
          to: '/settings',
          search: name === 'project' ? {} : { tab: name },
        }))}
      />
      {data ? (
        <Shown key={id} project={data.project} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <LoadingRows />
      )}
    </Page>
  );
}
