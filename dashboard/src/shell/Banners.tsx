import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useServiceReach } from '../kernel/reach.ts';
import { sessionQuery, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconAlert, IconShield } from '../ui/icons.ts';
import { onDemand } from '../ui/onDemand.tsx';
import styles from './Banners.module.css';

const LeaveSurvivalMode = onDemand(() =>
  import('../team/public.ts').then(({ LeaveSurvivalMode }) => LeaveSurvivalMode),
);

/** What concerns every page: survival mode of the team, and a service that does not answer. */
export function Banners() {
  const team = useTeam();
  const isReachable = useServiceReach();
  return (
    <div className={styles.banners} aria-live="polite">
      {isReachable ? null : (
        <Alert className={styles.offline} color="red" variant="light" icon={<IconAlert size={18} />}>
          {t.shell.offline}
        </Alert>
      )}
      {team?.status === 'read_only' ? (
        <>
          <SessionWatch />
          <Alert
            color="yellow"
            variant="light"
            icon={<IconShield size={18} />}
            title={t.shell.survival(team.readOnlyReason ?? '')}
          >
            <p className={styles.about}>{t.shell.survivalAbout}</p>
            {team.role === 'owner' ? <LeaveSurvivalMode teamId={team.id} /> : null}
          </Alert>
        </>
      ) : null}
    </div>
  );
}

const LOOK_AGAIN_MS = 30_000;

/** Notices the end of survival mode: buttons that are off send nothing that could tell of it. */
function SessionWatch() {
  useQuery({ ...sessionQuery, refetchInterval: LOOK_AGAIN_MS });
  return null;
}
