import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { codeOf } from '../../kernel/GraphqlError.ts';
import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { refresh } from '../../kernel/queries.ts';
import { formatMoment } from '../../kernel/times.ts';
import { useSecretRequest } from '../../kernel/useSecretRequest.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import type { Team } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { errorsOf } from '../../ui/formErrors.ts';
import { Problems } from '../../ui/Problems.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { Time } from '../../ui/Time.tsx';
import { offeredRoles, type Role } from './operations.ts';

const CREATE_INVITATION = graphql(`
  mutation CreateInvitation($input: CreateInvitationInput!) {
    createInvitation(input: $input) {
      email
      expiresAt
      url
      isMailed
    }
  }
`);

type Created = ResultOf<typeof CREATE_INVITATION>['createInvitation'];

interface InviteDialogProps {
  isOpen: boolean;
  team: Team;
  onClose: () => void;
}

/** Asks whom to invite as what, and shows the link for the only time. */
export function InviteDialog({ isOpen, team, onClose }: InviteDialogProps) {
  const [created, setCreated] = useState<Created | null>(null);
  const texts = t.team.invitations;
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <Dialog
      opened={isOpen}
      // A link that was not stored would be lost by a click beside the dialog.
      isKept={created !== null}
      onClose={close}
      title={created ? texts.created.title(created.email) : texts.form.title}
      size="lg"
    >
      {created ? <Invited created={created} onStored={close} /> : <Form team={team} onCreated={setCreated} />}
    </Dialog>
  );
}

function Form({ team, onCreated }: { team: Team; onCreated: (created: Created) => void }) {
  const { form } = t.team.invitations;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [isLimit, setIsLimit] = useState(false);
  const { request, isPending } = useSecretRequest(CREATE_INVITATION);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { createInvitation } = await request({ input: { teamId: team.id, email, role } });
      void refresh(['team', 'audit']);
      onCreated(createInvitation);
    } catch (error) {
      // Somebody who is in the team already is the wrong e-mail.
      const found = errorsOf(error as Error, ['email', 'role']);
      setErrors(codeOf(error) === 'conflict' ? { email: found[''] ?? '' } : found);
      setIsLimit(codeOf(error) === 'account_limit_reached');
    }
  };
  const other = errors[''];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          type="email"
          label={form.email}
          description={form.emailHint}
          required
          autoComplete="off"
          data-autofocus
          value={email}
          error={errors.email ? <span lang="en">{errors.email}</span> : null}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Radio.Group label={form.role} value={role} error={errors.role} onChange={(value) => setRole(value as Role)}>
          <Stack gap={6} mt={6}>
            {offeredRoles(team).map((one) => (
              <Radio key={one} value={one} label={t.states.roles[one]} description={t.team.roleAbouts[one]} />
            ))}
          </Stack>
        </Radio.Group>
        {other && isLimit ? (
          <Alert color="yellow" variant="light" role="alert" title={form.limit}>
            <span lang="en">{other.replace(INSTANT, (time) => formatMoment(time))}</span>
          </Alert>
        ) : (
          <Problems messages={other ? [other] : []} />
        )}
        <GuardedButton scope="team:manage" type="submit" loading={isPending}>
          {form.action}
        </GuardedButton>
      </Stack>
    </form>
  );
}

/** In the server's sentences, for programs as well as for people. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

function Invited({
  created: { email, url, isMailed, expiresAt },
  onStored,
}: {
  created: Created;
  onStored: () => void;
}) {
  const { created } = t.team.invitations;
  return (
    <Stack>
      <div>{isMailed ? created.mailed : created.byHand}</div>
      <SecretOnce
        secret={url}
        what={created.what}
        fileName={created.fileName}
        label={t.common.close}
        onStored={onStored}
      >
        <div>
          {created.valid(email)} <Time at={expiresAt} />
        </div>
      </SecretOnce>
    </Stack>
  );
}
