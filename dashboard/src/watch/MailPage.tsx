import { Alert, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useSession, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconMail } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { Said } from '../ui/Said.tsx';
import { EmptyState } from '../ui/states.tsx';
import { toast } from '../ui/toasts.ts';
import { kindName } from './alertCells.tsx';
import { Choice } from './Choice.tsx';
import { MailSwitch } from './MailSwitch.tsx';
import { useMailKinds } from './useMailKinds.ts';

/** Which alerts of a team are mailed to the person. */
export function MailPage() {
  const team = useTeam();
  const { mail } = t.watch;
  return (
    <Page title={mail.title} about={mail.about} back="/account">
      {team ? <Preferences key={team.id} teamId={team.id} /> : <EmptyState title={t.shell.noTeam} />}
    </Page>
  );
}

function Preferences({ teamId }: { teamId: string }) {
  const { teams, user } = useSession();
  const navigate = useNavigate({ from: '/account/mail' });
  const preferences = useMailKinds(teamId);
  const { query, on, save } = preferences;
  const { mail } = t.watch;
  const reset = () => {
    const before = () => on;
    const byDefault = () => null;
    const undo = () => save(before, () => toast(t.common.undone));
    save(byDefault, () => toast(mail.resetDone, undo));
  };
  return (
    <>
      {query.data?.service.sendsMail === false ? (
        <Alert color="yellow" variant="light" icon={<IconMail size={18} />}>
          {mail.noMail}
        </Alert>
      ) : null}
      {teams.length > 1 ? (
        <Card>
          <Choice
            label={mail.team}
            value={teamId}
            options={teams.map(({ id, name }) => ({ value: id, label: name }))}
            onChoose={(value) => void navigate({ search: (earlier) => ({ ...earlier, team: value }), replace: true })}
          />
        </Card>
      ) : null}
      <Card
        title={mail.to(user.email)}
        actions={
          <Button variant="default" onClick={reset}>
            {mail.reset}
          </Button>
        }
        isFlush
      >
        <RecordTable
          label={mail.label}
          rows={query.data?.mailPreferences.kinds ?? []}
          keyOf={({ kind }) => kind}
          query={query}
          empty={null}
          columns={[
            { title: mail.columns.kind, cell: ({ kind }) => <b>{kindName(kind)}</b>, isWords: true },
            {
              title: mail.columns.about,
              cell: ({ kind, about }) => <Said text={t.watch.kinds[kind]?.about} english={about} />,
            },
            { title: mail.columns.mail, cell: ({ kind }) => <MailSwitch kind={kind} mail={preferences} /> },
          ]}
        />
      </Card>
    </>
  );
}
