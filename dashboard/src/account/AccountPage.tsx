import { useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { t } from '../texts/index.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Page } from '../ui/Page.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { TabLinks } from '../ui/TabLinks.tsx';

const tab = (load: () => Promise<ComponentType>) => onDemand(load, { fallback: <LoadingRows /> });

/** The parts of the page, in their order, each loaded when it is opened. */
const TABS = {
  'sign-in': tab(() => import('./SignInTab.tsx').then(({ SignInTab }) => SignInTab)),
  sessions: tab(() => import('./SessionsTab.tsx').then(({ SessionsTab }) => SessionsTab)),
  delete: tab(() => import('./DeleteTab.tsx').then(({ DeleteTab }) => DeleteTab)),
};
type Tab = keyof typeof TABS;
const FIRST: Tab = 'sign-in';

/** How a person signs in, where they are signed in, and how they leave for good. */
export function AccountPage() {
  const { tab } = useSearch({ strict: false });
  const current: Tab = tab !== undefined && tab in TABS ? (tab as Tab) : FIRST;
  const Shown = TABS[current];
  useEffect(Shown.preload, [Shown]);
  return (
    <Page title={t.account.title}>
      <TabLinks
        label={t.account.tabsLabel}
        current={current}
        tabs={(Object.keys(TABS) as Tab[]).map((name) => ({
          tab: name,
          label: t.account.tabs[name],
          to: '/account',
          search: name === FIRST ? {} : { tab: name },
        }))}
      />
      <Shown />
    </Page>
  );
}
