import { Button, Stack, TextInput } from '@mantine/core';
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

const CHANGE_EMAIL = graphql(`
  mutation ChangeEmail($email: String!, $password: String!, $code: String) {
    changeEmail(email: $email, password: $password, code: $code) {
      email
      sentTo
    }
  }
`);

interface ChangeEmailDialogProps {
  isOpen: boolean;
  email: string;
  sendsMail: boolean;
  /** A second factor is on. */
  asksCode: boolean;
  onClose: () => void;
}

export function ChangeEmailDialog({ isOpen, onClose, ...rest }: ChangeEmailDialogProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.account.email.change}>
      <Form {...rest} onDone={onClose} />
    </Dialog>
  );
}

function Form({
  email,
  sendsMail,
  asksCode,
  onDone,
}: Omit<ChangeEmailDialogProps, 'isOpen' | 'onClose'> & { onDone: () => void }) {
  const texts = t.account.email;
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '', code: '' } });
  const change = useChange({
    document: CHANGE_EMAIL,
    touches: ['account', 'session'],
    onDone: ({ changeEmail }) => {
      toast(changeEmail.sentTo === null ? texts.changed(changeEmail.email) : texts.sent(changeEmail.sentTo));
      onDone();
    },
  });
  const submit = form.onSubmit((values) => {
    setProblems([]);
    change.mutate(
      { ...values, email: values.email.trim(), code: values.code.trim() || null },
      { onError: (error) => setProblems(proofProblems(form, error, 'password', asksCode)) },
    );
  });
  return (
    <form onSubmit={submit} noValidate>
      <AccountName email={email} />
      <Stack>
        <div>{sendsMail ? texts.mailed : texts.atOnce}</div>
        <Problems messages={problems} />
        <TextInput
          label={texts.new}
          type="email"
          autoComplete="email"
          required
          data-autofocus
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField label={t.common.yourPassword} key={form.key('password')} {...form.getInputProps('password')} />
        {asksCode ? <CodeOfForm form={form} /> : null}
        <Button type="submit" loading={change.isPending}>
          {texts.change}
        </Button>
      </Stack>
    </form>
  );
}
