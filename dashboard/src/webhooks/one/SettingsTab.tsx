import { Group, Select, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { refresh, useAsk, useChange } from '../../kernel/queries.ts';
import { draftStore, useFormDraft } from '../../kernel/useFormDraft.ts';
import { useSecretRequest } from '../../kernel/useSecretRequest.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { t } from '../../texts/index.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { errorsOf } from '../../ui/formErrors.ts';
import { ManagedBy } from '../../ui/ManagedBy.tsx';
import { Card } from '../../ui/Page.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { SecretOnce } from '../../ui/SecretOnce.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { UnsavedWork } from '../../ui/UnsavedWork.tsx';
import { WebhookFields } from '../form/WebhookFields.tsx';
import { SHOWN, type WebhookDraft, webhookForm } from '../form/webhookForm.ts';
import { rightToChange } from '../state/rightToChange.ts';
import type { WebhookSummary } from '../state/webhookState.ts';
import { VerificationCode } from '../VerificationCode.tsx';
import styles from './one.module.css';

const UPDATE_WEBHOOK = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) {
      id
    }
  }
`);

const DISABLE_WEBHOOK = graphql(`
  mutation DisableWebhook($id: ID!) {
    disableWebhook(id: $id) {
      id
    }
  }
`);

const DELETE_WEBHOOK = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

const ROTATE_SECRET = graphql(`
  mutation RotateWebhookSecret($id: ID!, $input: RotateSecretInput!) {
    rotateWebhookSecret(id: $id, input: $input) {
      secret
    }
  }
`);

const SIGNING_SECRETS = graphql(`
  query SigningSecrets($id: ID!) {
    webhook(id: $id) {
      signingSecrets {
        lastFour
        expiresAt
      }
    }
  }
`);

export function SettingsTab({ webhook }: { webhook: WebhookSummary }) {
  return (
    <>
      <Card>
        <EditForm webhook={webhook} />
      </Card>
      <Card title={t.webhooks.settings.secret}>
        <Rotation webhook={webhook} />
      </Card>
      <Card title={t.webhooks.settings.endings}>
        <Endings webhook={webhook} />
      </Card>
    </>
  );
}

function EditForm({ webhook }: { webhook: WebhookSummary }) {
  const { draftOf, changesOf } = webhookForm(webhook.projectId ?? '');
  const form = useFormDraft(draftStore<WebhookDraft>(`webhook.${webhook.id}`), draftOf(webhook));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const update = useChange({
    document: UPDATE_WEBHOOK,
    touches: ['webhooks'],
    onDone: () => {
      form.forget();
      setErrors({});
      toast(t.webhooks.form.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.toSend();
    const input = changesOf(form.draft);
    update.mutate({ id: webhook.id, input }, { onError: (error) => setErrors(errorsOf(error, SHOWN)) });
  };
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedWork form={form} onDiscard={form.reset} />
      <ManagedBy managedBy={webhook.managedBy} look="warning" />
      <WebhookFields values={form.draft} change={form.change} errors={errors} isNew={false} tag={webhook.tag} />
      <Problems messages={errors[''] ? [errors['']] : []} mt="md" />
      <GuardedButton scope={rightToChange(webhook)} type="submit" loading={update.isPending} mt="md">
        {t.webhooks.form.save}
      </GuardedButton>
    </form>
  );
}

function Rotation({ webhook }: { webhook: WebhookSummary }) {
  const { settings, secret: texts } = t.webhooks;
  const [overlap, setOverlap] = useState('86400');
  const [secret, setSecret] = useState<string | null>(null);
  const { request, isPending } = useSecretRequest(ROTATE_SECRET);
  const rotate = async () => {
    try {
      const input = { expirePreviousSeconds: Number(overlap) };
      setSecret((await request({ id: webhook.id, input })).rotateWebhookSecret.secret);
      void refresh(['webhooks']);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Stack>
      <p className={styles.lead}>{settings.secretAbout}</p>
      <ActiveSecrets webhookId={webhook.id} />
      <Select
        label={settings.overlap}
        data={Object.entries(settings.overlaps).map(([value, label]) => ({ value, label }))}
        value={overlap}
        onChange={(value) => setOverlap(value ?? overlap)}
        allowDeselect={false}
        maw={280}
      />
      <div>
        <GuardedButton scope={rightToChange(webhook)} variant="default" loading={isPending} onClick={rotate}>
          {settings.rotate}
        </GuardedButton>
      </div>
      <Dialog opened={secret !== null} isKept onClose={() => {}} title={texts.title} size="lg">
        {secret === null ? null : (
          <SecretOnce
            isReadable
            secret={secret}
            what={texts.what}
            fileName={texts.fileName}
            label={t.common.close}
            onStored={() => setSecret(null)}
          >
            <VerificationCode secret={secret} />
          </SecretOnce>
        )}
      </Dialog>
    </Stack>
  );
}

/** Which secrets sign deliveries at the moment, and until when. */
function ActiveSecrets({ webhookId }: { webhookId: string }) {
  const { data } = useAsk({ about: 'webhooks', document: SIGNING_SECRETS, variables: { id: webhookId } });
  const { settings } = t.webhooks;
  return (
    <div>
      <b>{settings.active}</b>
      <ul className={styles.secrets}>
        {data?.webhook.signingSecrets.map(({ lastFour, expiresAt }) => (
          <li key={lastFour}>
            <code>{settings.ending(lastFour)}</code>{' '}
            {expiresAt === null ? (
              settings.current
            ) : (
              <>
                {settings.until} <Time at={expiresAt} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Endings({ webhook }: { webhook: WebhookSummary }) {
  const navigate = useNavigate();
  const { settings } = t.webhooks;
  const [isDeleting, setIsDeleting] = useState(false);
  const disable = useChange({
    document: DISABLE_WEBHOOK,
    touches: ['webhooks'],
    onDone: () => toast(t.webhooks.switchedOff),
  });
  const remove = useChange({
    document: DELETE_WEBHOOK,
    touches: ['webhooks'],
    onDone: () => {
      toast(settings.deleted);
      void navigate({ to: '/webhooks', replace: true });
    },
  });
  return (
    <Group>
      {webhook.status === 'enabled' ? (
        <GuardedButton
          scope={rightToChange(webhook)}
          variant="default"
          loading={disable.isPending}
          onClick={() => disable.mutate({ id: webhook.id }, { onError: toastError })}
        >
          {t.webhooks.switchOff}
        </GuardedButton>
      ) : null}
      <GuardedButton scope={rightToChange(webhook)} color="red" variant="light" onClick={() => setIsDeleting(true)}>
        {settings.delete}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isDeleting}
        title={settings.deleteTitle}
        verb={settings.delete}
        isPending={remove.isPending}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => remove.mutate({ id: webhook.id }, { onError: toastError })}
      >
        {settings.deleteBody}
      </ConfirmDialog>
    </Group>
  );
}
