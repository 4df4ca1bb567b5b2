import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AccountName, PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import { CodeOfForm } from './CodeOfForm.tsx';
import { proofProblems } from './proofProblems.ts';

const CHANGE_PASSWORD = graphql(`
  mutation ChangePassword($currentPassword: String!, $password: String!, $code: String) {
    changePassword(currentPassword: $currentPassword, password: $password, code: $code)
  }
`);

interface ChangePasswordDialogProps {
  isOpen: boolean;
  email: string;
  /** A second factor is on. */
  asksCode: boolean;
  onClose: () => void;
}

export function ChangePasswordDialog({ isOpen, onClose, ...rest }: ChangePasswordDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.account.password.change}>
      <Form {...rest} onDone={onClose} />
    </Dialog>
  );
}

function Form({ email, asksCode, onDone }: { email: string; asksCode: boolean; onDone: () => void }) {
  const texts = t.account.password;
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '', password: '', code: '' } });
  const change = useChange({
    document: CHANGE_PASSWORD,
    touches: ['account'],
    onDone: () => {
      toast(texts.changed);
      onDone();
    },
  });
  const submit = form.onSubmit((values) => {
    setProblems([]);
    change.mutate(
      { ...values, code: values.code.trim() || null },
      { onError: (error) => setProblems(proofProblems(form, error, 'currentPassword', asksCode)) },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <AccountName email={email} />
      <Stack>
        <div>{texts.warning}</div>
        <Problems messages={problems} />
        <PasswordField
          label={texts.current}
          data-autofocus
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <PasswordField
          label={t.common.newPassword}
          description={t.common.passwordHint}
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        {asksCode ? <CodeOfForm form={form} /> : null}
        <Button type="submit" loading={change.isPending}>
          {texts.change}
        </Button>
      </Stack>
    </form>
  );
}
