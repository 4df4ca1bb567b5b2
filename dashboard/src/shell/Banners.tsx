import { Alert } from '@mantine/core';
import { useServiceReach } from '../kernel/reach.ts';
import { useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconAlert, IconShield } from '../ui/icons.ts';
import styles from './Banners.module.css';

/** What concerns every page: survival mode of the team, and a service that does not answer. */
export function Banners() {
  const team = useTeam();
  const isReachable = useServiceReach();
  return (
    <div className={styles.banners} aria-live="polite">
      {isReachable ? null : (
        <Alert color="red" variant="light" icon={<IconAlert size={18} />}>
          {t.shell.offline}
        </Alert>
      )}
      {team?.status === 'read_only' ? (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconShield size={18} />}
          title={t.shell.survival(team.readOnlyReason ?? '')}
        >
          {t.shell.survivalAbout}
        </Alert>
      ) : null}
    </div>
  );
}
