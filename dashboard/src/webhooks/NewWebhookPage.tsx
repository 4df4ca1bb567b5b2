import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { draftStore, useFormDraft } from '../kernel/useFormDraft.ts';
import { useSecretRequest } from '../kernel/useSecretRequest.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import { SecretOnce } from '../ui/SecretOnce.tsx';
import { UnsavedWork } from '../ui/UnsavedWork.tsx';
import { WebhookFields } from './form/WebhookFields.tsx';
import { newWebhook, SHOWN, type WebhookDraft, webhookForm } from './form/webhookForm.ts';

// Shown once the webhook is there.
const VerificationCode = onDemand(() =>
  import('./VerificationCode.tsx').then(({ VerificationCode }) => VerificationCode),
);
const SendTest = onDemand(() => import('./sending/SendTest.tsx').then(({ SendTest }) => SendTest));

const CREATE_WEBHOOK = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      id
      secret
      eventTypes
    }
  }
`);

type Created = ResultOf<typeof CREATE_WEBHOOK>['createWebhook'];

/** A new webhook, and then its secret, with what the receiver does with it. */
export function NewWebhookPage() {
  const projectId = useProjectId();
  const [created, setCreated] = useState<Created | null>(null);
  return created ? (
    <Secret webhook={created} />
  ) : (
    <NewForm key={projectId} projectId={projectId} onCreated={setCreated} />
  );
}

interface NewFormProps {
  projectId: string;
  onCreated: (webhook: Created) => void;
}

function NewForm({ projectId, onCreated }: NewFormProps) {
  const team = useTeam();
  const form = useFormDraft(draftStore<WebhookDraft>(`webhooks.new.${projectId}`), newWebhook(projectId));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { request, isPending } = useSecretRequest(CREATE_WEBHOOK);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const owner = form.draft.scope.kind === 'team' ? { teamId: team?.id ?? '' } : { projectId };
    const input = { ...webhookForm(projectId).inputOf(form.draft), url: form.draft.url.trim(), ...owner };
    try {
      const { createWebhook } = await request({ input });
      form.forget();
      void refresh(['webhooks']);
      onCreated(createWebhook);
    } catch (error) {
      setErrors(errorsOf(error as Error, SHOWN));
    }
  };
  return (
    <Page title={t.webhooks.new} back="/webhooks">
      <UnsavedWork form={form} onDiscard={form.reset} />
      <Card>
        <form onSubmit={submit} noValidate>
          <WebhookFields values={form.draft} change={form.change} errors={errors} isNew />
          <Problems messages={errors[''] ? [errors['']] : []} mt="md" />
          <GuardedButton scope="webhooks:write" type="submit" loading={isPending} mt="md">
            {t.webhooks.form.create}
          </GuardedButton>
        </form>
      </Card>
    </Page>
  );
}

function Secret({ webhook: { id, secret, eventTypes } }: { webhook: Created }) {
  const navigate = useNavigate();
  const texts = t.webhooks.secret;
  return (
    <Page title={texts.title} about={texts.about}>
      <Card>
        <SecretOnce
          isReadable
          secret={secret}
          what={texts.what}
          fileName={texts.fileName}
          label={texts.next}
          onStored={() => void navigate({ to: '/webhooks/$webhookId/deliveries', params: { webhookId: id } })}
        >
          <h2>{texts.code}</h2>
          <VerificationCode secret={secret} />
        </SecretOnce>
      </Card>
      <Card title={texts.test}>
        <SendTest webhookId={id} eventTypes={eventTypes} />
      </Card>
    </Page>
  );
}
