import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { useSecretRequest } from '../kernel/useSecretRequest.ts';
import { t } from '../texts/index.ts';
import { attemptProblems } from '../ui/attemptProblems.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AccountName, PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import { CodeOfForm } from './CodeOfForm.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const NEW_RECOVERY_CODES = graphql(`
  mutation NewRecoveryCodes($password: String!, $code: String!) {
    newRecoveryCodes(password: $password, code: $code)
  }
`);

const DISABLE_SECOND_FACTOR = graphql(`
  mutation DisableSecondFactor($password: String!, $code: String!) {
    disableSecondFactor(password: $password, code: $code)
  }
`);

interface DialogProps {
  isOpen: boolean;
  email: string;
  onClose: () => void;
}

/** Replaces the recovery codes, and shows the new ones for the only time. */
export function NewCodesDialog({ isOpen, email, onClose }: DialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { request } = useSecretRequest(NEW_RECOVERY_CODES);
  const { factor } = t.account;
  const close = () => {
    setCodes(null);
    onClose();
  };
  return (
    <Dialog opened={isOpen} isKept={codes !== null} onClose={close} title={codes ? factor.codesTitle : factor.newCodes}>
      {codes ? (
        <RecoveryCodes codes={codes} onStored={close} />
      ) : (
        <ProofForm
          email={email}
          about={factor.newCodesAbout}
          verb={factor.makeCodes}
          prove={async (proof) => setCodes((await request(proof)).newRecoveryCodes)}
        />
      )}
    </Dialog>
  );
}

export function TurnOffDialog({ isOpen, email, onClose }: DialogProps) {
  const { request } = useSecretRequest(DISABLE_SECOND_FACTOR);
  const { factor } = t.account;
  return (
    <Dialog opened={isOpen} onClose={onClose} title={factor.turnOffTitle}>
      <ProofForm
        email={email}
        about={factor.turnOffAbout}
        verb={factor.turnOff}
        isDestructive
        prove={async (proof) => {
          await request(proof);
          toast(factor.turnedOff);
          onClose();
        }}
      />
    </Dialog>
  );
}

interface ProofFormProps {
  email: string;
  about: string;
  verb: string;
  isDestructive?: boolean;
  /** Rejects with what the server refused. */
  prove: (proof: { password: string; code: string }) => Promise<void>;
}

/** Asks for the password and a code, which together prove that it is the person. */
function ProofForm({ email, about, verb, isDestructive = false, prove }: ProofFormProps) {
  const [problems, setProblems] = useState<string[]>([]);
  const [isPending, setIsPending] = useState(false);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '', code: '' } });
  const submit = form.onSubmit(async (proof) => {
    setProblems([]);
    setIsPending(true);
    try {
      await prove(proof);
      void refresh(['account', 'session']);
    } catch (error) {
      setProblems(attemptProblems(form, error));
    } finally {
      setIsPending(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <AccountName email={email} />
      <Stack>
        <div>{about}</div>
        <Problems messages={problems} />
        <PasswordField
          label={t.common.yourPassword}
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <CodeOfForm form={form} />
        <Button type="submit" color={isDestructive ? 'red' : 'blue'} loading={isPending}>
          {verb}
        </Button>
      </Stack>
    </form>
  );
}
