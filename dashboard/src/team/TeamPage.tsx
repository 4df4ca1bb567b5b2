import { Stack } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { type Team, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Page } from '../ui/Page.tsx';
import { EmptyState, LoadingRows } from '../ui/states.tsx';
import { TabLinks } from '../ui/TabLinks.tsx';
import { DeletedProjectsNote } from './deletion/DeletedProjectsNote.tsx';
import { TeamSelect } from './TeamSelect.tsx';

const tab = (load: () => Promise<ComponentType<{ team: Team }>>) => onDemand(load, { fallback: <LoadingRows /> });

/** The parts of the page, in their order. Each is loaded and asks for its own data when it is opened. */
const TABS = {
  members: tab(() => import('./members/MembersTab.tsx').then(({ MembersTab }) => MembersTab)),
  settings: tab(() => import('./settings/SettingsTab.tsx').then(({ SettingsTab }) => SettingsTab)),
  data: tab(() => import('./deletion/DataTab.tsx').then(({ DataTab }) => DataTab)),
};
type Tab = keyof typeof TABS;

/** The team: its people, its settings, and what becomes of its data. */
export function TeamPage() {
  const { tab = 'members' } = useSearch({ from: '/shell/team' });
  const team = useTeam();
  const current = tab in TABS ? (tab as Tab) : 'members';
  const Shown = TABS[current];
  useEffect(Shown.preload, [Shown]);
  if (!team) {
    return (
      <Page title={t.shell.noTeamTitle}>
        <EmptyState title={t.shell.noTeam} actions={<Link to="/teams/new">{t.team.newTeam}</Link>} />
      </Page>
    );
  }
  return (
    <Page
      title={team.name}
      about={t.team.about}
      actions={
        <>
          <TeamSelect teamId={team.id} />
          <Link to="/team/audit" search={{ team: team.id }}>
            {t.team.auditLog}
          </Link>
          <Link to="/teams/new">{t.team.newTeam}</Link>
        </>
      }
    >
      <TabLinks
        label={t.team.tabsLabel}
        current={current}
        tabs={(Object.keys(TABS) as Tab[]).map((name) => ({
          tab: name,
          label: t.team.tabs[name],
          to: '/team',
          search: { team: team.id, tab: name === 'members' ? undefined : name },
        }))}
      />
      {/* Of another team nothing is left of what was entered here. */}
      <Stack key={team.id}>
        {current === 'data' ? null : <DeletedProjectsNote team={team} />}
        <Shown team={team} />
      </Stack>
    </Page>
  );
}
