import { useDisclosure, useHotkeys, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useWatchedImports, WatchedImports } from '../imports/public.ts';
import { isDialogOpen } from '../kernel/shortcuts.ts';
import { awaitField } from '../kernel/typeAhead.ts';
import { rememberProject, SessionContext, sessionQuery, useProject, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Page } from '../ui/Page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Banners } from './Banners.tsx';
import { Header } from './Header.tsx';
import { RouteProgress } from './RouteProgress.tsx';
import styles from './Shell.module.css';
import { SideBar } from './SideBar.tsx';
import { useGlobalShortcuts } from './useGlobalShortcuts.ts';
import { useNavigationFocus } from './useNavigationFocus.ts';

// None is needed until somebody asks for it.
const MenuDrawer = dialogOnDemand(
  () => import('./MenuDrawer.tsx').then(({ MenuDrawer }) => MenuDrawer),
  ({ isOpen }) => isOpen,
);
const Palette = dialogOnDemand(
  () => import('./Palette.tsx').then(({ Palette }) => Palette),
  ({ calls }) => calls > 0,
);
const ShortcutHelp = dialogOnDemand(
  () => import('./ShortcutHelp.tsx').then(({ ShortcutHelp }) => ShortcutHelp),
  ({ isOpen }) => isOpen,
);

/** The frame of every page for people who are signed in. When a session ends nothing is left of its pages. */
export function Shell() {
  const { data } = useQuery(sessionQuery);
  return data ? (
    <SessionContext value={data}>
      <Frame />
    </SessionContext>
  ) : null;
}

function Frame() {
  const [isMenuOpen, menu] = useDisclosure(false);
  const [isHelpOpen, help] = useDisclosure(false);
  const [paletteCalls, setPaletteCalls] = useState(0);
  const openPalette = () => {
    if (!isDialogOpen()) awaitField();
    setPaletteCalls((calls) => calls + 1);
  };
  useHotkeys([['mod+K', openPalette]], []);
  const isNarrow = useMediaQuery('(max-width: 47.99em)');
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const hasImports = useWatchedImports().length > 0;
  const project = useProject();
  const { projects } = useSession();
  const needsNoProject = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.needsNoProject === true),
  });
  useGlobalShortcuts({ openHelp: help.open });
  const announced = useNavigationFocus();
  useEffect(() => {
    if (project) rememberProject(project.id);
  }, [project]);
  // A navigation closes the menu.
  useEffect(() => menu.close(), [pathname]);
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {t.shell.skip}
      </a>
      <RouteProgress />
      <span role="status" className="visually-hidden">
        {announced}
      </span>
      <Header openMenu={menu.open} openHelp={help.open} openPalette={openPalette} />
      {isNarrow ? (
        <MenuDrawer isOpen={isMenuOpen} onClose={menu.close} />
      ) : (
        <div className={styles.side}>
          <SideBar />
        </div>
      )}
      <main id="content" tabIndex={-1} className={styles.content}>
        <Banners />
        {projects.length === 0 && !needsNoProject ? <NoProject /> : <Outlet key={project?.id} />}
      </main>
      <Palette openHelp={help.open} calls={paletteCalls} />
      {hasImports ? <WatchedImports /> : null}
      <ShortcutHelp isOpen={isHelpOpen} onClose={help.close} />
    </div>
  );
}

/** Somebody who has left their last team, or whose team has no project. */
function NoProject() {
  const { teams } = useSession();
  const [team] = teams;
  if (!team) {
    return (
      <Page title={t.shell.noTeamTitle}>
        <EmptyState title={t.shell.noTeam} actions={<Link to="/teams/new">{t.shell.pages.newTeam}</Link>} />
      </Page>
    );
  }
  const mayCreate = teams.some(({ scopes }) => scopes.includes('projects:write'));
  return (
    <Page title={t.shell.noProjectTitle}>
      <EmptyState
        title={mayCreate ? t.shell.firstProject : t.shell.noProject(team.name)}
        actions={mayCreate ? <Link to="/projects/new">{t.shell.pages.newProject}</Link> : null}
      />
    </Page>
  );
}
