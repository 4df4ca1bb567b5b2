import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { useSecretRequest } from '../kernel/useSecretRequest.ts';
import { t } from '../texts/index.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { AccountName, PasswordField } from '../ui/PasswordField.tsx';
import { Problems } from '../ui/Problems.tsx';
import { drawSvg, PLAIN_DESIGN } from '../ui/qrCode.ts';
import { SecondFactorField } from '../ui/SecondFactorField.tsx';
import { toast } from '../ui/toasts.ts';
import { proofProblems } from './proofProblems.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';

const BEGIN_SECOND_FACTOR = graphql(`
  mutation BeginSecondFactor($password: String!) {
    beginSecondFactor(password: $password) {
      secret
      uri
    }
  }
`);

const CONFIRM_SECOND_FACTOR = graphql(`
  mutation ConfirmSecondFactor($code: String!) {
    confirmSecondFactor(code: $code)
  }
`);

type Setup = ResultOf<typeof BEGIN_SECOND_FACTOR>['beginSecondFactor'];

interface SetUpFactorDialogProps {
  isOpen: boolean;
  email: string;
  onClose: () => void;
}

/** Password, then the app's key and its first code, then the recovery codes. */
export function SetUpFactorDialog({ isOpen, email, onClose }: SetUpFactorDialogProps) {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { factor } = t.account;
  const close = () => {
    setSetup(null);
    setCodes(null);
    onClose();
  };
  const confirmed = (made: readonly string[]) => {
    setCodes(made);
    toast(factor.turnedOn);
  };
  return (
    <Dialog
      opened={isOpen}
      // Codes that were not stored would be lost by a click beside the dialog.
      isKept={codes !== null}
      onClose={close}
      title={codes ? factor.codesTitle : factor.setUpTitle}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onStored={close} />
      ) : setup ? (
        <AppForm setup={setup} onConfirmed={confirmed} />
      ) : (
        <PasswordForm email={email} onBegun={setSetup} />
      )}
    </Dialog>
  );
}

function PasswordForm({ email, onBegun }: { email: string; onBegun: (setup: Setup) => void }) {
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const { request, isPending } = useSecretRequest(BEGIN_SECOND_FACTOR);
  const submit = form.onSubmit(async (values) => {
    setProblems([]);
    try {
      onBegun((await request(values)).beginSecondFactor);
    } catch (error) {
      setProblems(proofProblems(form, error as Error, 'password'));
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <AccountName email={email} />
      <Stack>
        <div>{t.account.factor.first}</div>
        <Problems messages={problems} />
        <PasswordField
          label={t.common.yourPassword}
          data-autofocus
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={isPending}>
          {t.account.factor.next}
        </Button>
      </Stack>
    </form>
  );
}

function AppForm({ setup, onConfirmed }: { setup: Setup; onConfirmed: (codes: readonly string[]) => void }) {
  const { factor } = t.account;
  const [problems, setProblems] = useState<string[]>([]);
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } });
  const { request, isPending } = useSecretRequest(CONFIRM_SECOND_FACTOR);
  const submit = form.onSubmit(async ({ code }) => {
    setProblems([]);
    try {
      const { confirmSecondFactor } = await request({ code });
      void refresh(['account', 'session']);
      onConfirmed(confirmSecondFactor);
    } catch (error) {
      setProblems(proofProblems(form, error as Error, 'code'));
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <div>{factor.scan}</div>
        <QrOf uri={setup.uri} />
        <div>
          {factor.key}
          <Group gap={4} wrap="nowrap">
            <code>{inGroups(setup.secret)}</code>
            <CopyButton text={setup.secret} what={factor.keyWhat} />
          </Group>
        </div>
        <div>{factor.check}</div>
        <Problems messages={problems} />
        <SecondFactorField
          key={form.key('code')}
          factor="app"
          input={{ autoFocus: true, ...form.getInputProps('code') }}
        />
        <Button type="submit" loading={isPending}>
          {factor.turnOn}
        </Button>
      </Stack>
    </form>
  );
}

/** Phones read it from a white ground, whatever the theme. */
function QrOf({ uri }: { uri: string }) {
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    void drawSvg(uri, PLAIN_DESIGN).then(setSvg);
  }, [uri]);
  const source = svg === null ? undefined : `data:image/svg+xml,${encodeURIComponent(svg)}`;
  return (
    <Group justify="center" mih={200}>
      {source ? <img src={source} alt={t.account.factor.qr} width={200} height={200} /> : null}
    </Group>
  );
}

/** `ABCD EFGH …`: somebody types it from one screen into another. */
function inGroups(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}
