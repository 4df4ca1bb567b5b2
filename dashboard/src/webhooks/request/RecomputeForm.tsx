import { Button, Group, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useSecretRequest } from '../../kernel/useSecretRequest.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import type { Right } from '../../session/permissions.ts';
import { t } from '../../texts/index.ts';
import { toastError } from '../../ui/toasts.ts';
import { canCompute, hmacHex } from './signature.ts';

const SECRET = graphql(`
  query WebhookSecret($id: ID!) {
    webhookSecret(id: $id) {
      secret
    }
  }
`);

interface RecomputeFormProps {
  webhookId: string;
  right?: Right;
  signed: string;
  onComputed: (hex: string) => void;
}

/** Computes the signature with a secret that is pasted, or with that of the webhook. The secret stays in this form. */
export function RecomputeForm({ webhookId, right = 'webhooks:write', signed, onComputed }: RecomputeFormProps) {
  const [secret, setSecret] = useState('');
  const { request, isPending } = useSecretRequest(SECRET);
  const texts = t.webhooks.signature;
  if (!canCompute()) return <p>{texts.cannotCompute}</p>;
  const compute = async (event: FormEvent) => {
    event.preventDefault();
    if (secret.trim()) onComputed(await hmacHex(secret.trim(), signed));
  };
  const useCurrent = async () => {
    try {
      const { webhookSecret } = await request({ id: webhookId });
      onComputed(await hmacHex(webhookSecret.secret, signed));
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <form onSubmit={compute}>
      <Group align="flex-end" gap="xs">
        <PasswordInput
          label={texts.secret}
          placeholder="whsec_…"
          autoComplete="off"
          spellCheck={false}
          flex="1 1 220px"
          value={secret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': texts.showSecret }}
        />
        <Button type="submit" variant="default" disabled={!secret.trim()}>
          {texts.compute}
        </Button>
        <GuardedButton scope={right} variant="subtle" type="button" loading={isPending} onClick={useCurrent}>
          {texts.useCurrent}
        </GuardedButton>
      </Group>
      <p>
        <small>{texts.audited}</small>
      </p>
    </form>
  );
}
