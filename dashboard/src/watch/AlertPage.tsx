import { Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useSession } from '../session/session.ts';
import { useItsPlace } from '../session/useItsPlace.ts';
import { t } from '../texts/index.ts';
import { Facts } from '../ui/Facts.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { AlertDetails } from './alert/AlertDetails.tsx';
import { AlertActions, AlertState, concernOf, kindName, SeverityChip } from './alertCells.tsx';
import { ALERT_ROW } from './alerts.ts';
import { MailSwitch } from './MailSwitch.tsx';
import { useMailKinds } from './useMailKinds.ts';

const ALERT = graphql(
  `
  query Alert($id: ID!) {
    alert(id: $id) {
      ...AlertRow
      message
      link {
        status
        reviewRequestedAt
      }
      webhook {
        status
        circuit
      }
    }
  }
`,
  [ALERT_ROW],
);

export type OneAlert = ResultOf<typeof ALERT>['alert'];

/** What happened, in readable form, and what can be done about it. Mails lead here. */
export function AlertPage() {
  const { alertId } = useParams({ from: '/shell/alerts/$alertId' });
  const { data, error, refetch } = useAsk({
    about: 'alerts',
    document: ALERT,
    variables: { id: alertId },
    keepsEarlier: false,
  });
  const heading = useRef<HTMLSpanElement>(null);
  const isInPlace = useItsPlace(data?.alert);
  if (!data || !isInPlace) {
    return (
      <Page title={t.watch.alert.title} back="/alerts">
        {error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />}
      </Page>
    );
  }
  const { alert } = data;
  return (
    <Page
      title={alert.title}
      back="/alerts"
      heading={
        <span ref={heading} tabIndex={-1} lang="en">
          {alert.title}
        </span>
      }
      actions={<AlertActions alert={alert} onDone={() => heading.current?.focus()} isLarge />}
    >
      <Card title={t.watch.alert.happened}>
        <Stack gap={16}>
          <div lang="en">{alert.message}</div>
          <AlertFacts alert={alert} />
        </Stack>
      </Card>
      <AlertDetails alert={alert} />
      <MailMe alert={alert} />
    </Page>
  );
}

function AlertFacts({ alert }: { alert: OneAlert }) {
  const { teams, projects } = useSession();
  const { facts, wholeTeam } = t.watch.alert;
  const team = teams.find(({ id }) => id === alert.teamId);
  const project = projects.find(({ id }) => id === alert.projectId);
  return (
    <Facts
      facts={[
        { name: facts.state, value: <AlertState alert={alert} /> },
        { name: facts.severity, value: <SeverityChip severity={alert.severity} /> },
        { name: facts.kind, value: kindName(alert.kind) },
        { name: facts.raised, value: <Time at={alert.createdAt} /> },
        { name: facts.acknowledged, value: alert.acknowledgedAt ? <Time at={alert.acknowledgedAt} /> : null },
        { name: facts.resolved, value: alert.resolvedAt ? <Time at={alert.resolvedAt} /> : null },
        alert.projectId
          ? { name: facts.project, value: project?.name }
          : { name: facts.team, value: team ? wholeTeam(team.name) : null },
        { name: facts.concerns, value: concernOf(alert) },
      ]}
    />
  );
}

/** Turns mails about this kind of alerts of this team on and off. */
function MailMe({ alert: { kind, teamId } }: { alert: OneAlert }) {
  const { teams } = useSession();
  const mail = useMailKinds(teamId);
  const team = teams.find(({ id }) => id === teamId);
  if (!mail.query.data || !team) return null;
  return (
    <Card title={t.watch.mail.columns.mail}>
      <MailSwitch kind={kind} mail={mail} label={t.watch.mail.these(kindName(kind), team.name)} />
      {mail.query.data.service.sendsMail ? null : <p>{t.watch.mail.noMail}</p>}
      <Link to="/account/mail" search={{ team: teamId }}>
        {t.watch.mail.all}
      </Link>
    </Card>
  );
}
