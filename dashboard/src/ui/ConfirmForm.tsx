import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useBusy } from '../kernel/busy.ts';
import { t } from '../texts/index.ts';
import styles from './ConfirmForm.module.css';
import { Dialog } from './Dialog.tsx';
import { PasswordField } from './PasswordField.tsx';
import { Problems } from './Problems.tsx';
import { type Factor, SecondFactorField } from './SecondFactorField.tsx';

/** From this many things on, their number has to be typed. */
const TYPED_FROM = 11;

export interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** What is lost, and what stays. */
  children: ReactNode;
  /** The verb on the button. */
  verb: string;
  /** What the other button says; “Cancel”, when nothing is said. */
  otherVerb?: string;
  isDestructive?: boolean;
  /** How many things are concerned. */
  count?: number;
  isPending?: boolean;
  /** Asks for the password of the person as well. */
  asksPassword?: boolean;
  /** Asks for a code of the second factor, too. */
  asksCode?: boolean;
  /** What was wrong with the last try, at the field of the password where it can be nothing else. */
  problem?: string | null;
  onConfirm: (password: string, code: string | null) => unknown;
  onClose: () => void;
}

/** The dialog itself, see ConfirmDialog. */
export function ConfirmForm(props: ConfirmDialogProps) {
  return (
    <Dialog opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({
  children,
  verb,
  otherVerb = t.common.cancel,
  isDestructive = true,
  count = 1,
  isPending = false,
  asksPassword = false,
  asksCode = false,
  problem = null,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  useBusy(isPending);
  const [typed, setTyped] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [factor, setFactor] = useState<Factor>('app');
  const [isFactorChosen, setIsFactorChosen] = useState(false);
  const isProven = (!asksPassword || password !== '') && (!asksCode || code.trim() !== '');
  const isTyped = (count < TYPED_FROM || typed.trim() === String(count)) && isProven;
  const hasField = count >= TYPED_FROM || asksPassword || asksCode;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React's events come out of a dialog, and the question whether to leave a form stands within that form.
    event.stopPropagation();
    if (isTyped && !isPending) onConfirm(password, asksCode ? code.trim() : null);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div className={styles.about}>{children}</div>
        {asksCode && problem ? <Problems messages={[problem]} /> : null}
        {count < TYPED_FROM ? null : (
          <TextInput
            label={t.common.typeNumber(count)}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {asksPassword ? (
          <PasswordField
            label={t.common.yourPassword}
            autoComplete="current-password"
            value={password}
            error={asksCode ? null : problem}
            onChange={(event) => setPassword(event.currentTarget.value)}
            data-autofocus={count < TYPED_FROM || undefined}
          />
        ) : problem && !asksCode ? (
          <p role="alert">{problem}</p>
        ) : null}
        {asksCode ? (
          <SecondFactorField
            factor={factor}
            onChange={(changed) => {
              setCode('');
              setFactor(changed);
              setIsFactorChosen(true);
            }}
            input={{
              value: code,
              autoFocus: isFactorChosen,
              onChange: (event) => setCode(event.currentTarget.value),
            }}
          />
        ) : null}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={isPending}
            onClick={onClose}
            data-autofocus={(!hasField && isDestructive) || undefined}
          >
            {otherVerb}
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'red' : 'blue'}
            loading={isPending}
            disabled={!isTyped}
            data-autofocus={(!hasField && !isDestructive) || undefined}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
