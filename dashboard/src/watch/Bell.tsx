import { ActionIcon, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useProject, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconBell } from '../ui/icons.ts';
import { onDemand } from '../ui/onDemand.tsx';
import styles from './Bell.module.css';

const OPEN_ALERTS = graphql(`
  query OpenAlerts($teamId: ID!) {
    alertCounts(teamId: $teamId) {
      critical
      warning
      info
    }
  }
`);

const BellMenu = onDemand(() => import('./BellMenu.tsx').then(({ BellMenu }) => BellMenu));

const POLL_MS = 60_000;
/** More would not fit on the bell. */
const MOST_SHOWN = 99;

/** The number of open alerts of the project's team, and the newest of them in a menu. */
export function Bell() {
  const team = useTeam();
  const teamId = useProject()?.teamId ?? team?.id ?? '';
  const [isOpen, setIsOpen] = useState(false);
  const { data } = useAsk({
    about: 'alerts',
    document: OPEN_ALERTS,
    variables: { teamId },
    isEnabled: teamId !== '',
    pollMs: POLL_MS,
    keepsEarlier: false,
  });
  const { critical = 0, warning = 0, info = 0 } = data?.alertCounts ?? {};
  const count = critical + warning + info;
  if (teamId === '') return null;
  return (
    <Menu
      width={320}
      position="bottom-end"
      opened={isOpen}
      onChange={setIsOpen}
      // Inside the header, which is a landmark; and without an element for the focus that is no item of the menu.
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t.shell.bell.open(count)}
          className={styles.bell}
        >
          <IconBell size={20} />
          {count > 0 ? (
            <span className={styles.count} aria-hidden>
              {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
            </span>
          ) : null}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isOpen ? <BellMenu teamId={teamId} /> : null}
        <Menu.Item renderRoot={(props) => <Link to="/alerts" search={{ team: teamId }} {...props} />}>
          {t.shell.bell.all}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
