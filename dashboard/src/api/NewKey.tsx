import { Button, Stack } from '@mantine/core';
import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { SecretOnce } from '../ui/SecretOnce.tsx';
import { SNIPPETS } from './snippets.ts';

interface NewKeyProps {
  secret: string;
  /** A publishable key can be seen again at any time. */
  isSecret: boolean;
  onStored: () => void;
}

/** A key that was just made: a secret one for the only time, with the request that tries it. */
export function NewKey({ secret, isSecret, onStored }: NewKeyProps) {
  const { service } = useSession();
  if (!isSecret) {
    return (
      <Stack>
        <Code text={secret} what={t.api.publishable.what} />
        <Button onClick={onStored}>{t.common.close}</Button>
      </Stack>
    );
  }
  return (
    <SecretOnce
      secret={secret}
      what={t.api.created.what}
      fileName={t.api.created.fileName}
      label={t.common.close}
      onStored={onStored}
    >
      <Code text={SNIPPETS.curl(service.baseUrl, secret)} what={t.api.created.command} />
    </SecretOnce>
  );
}
