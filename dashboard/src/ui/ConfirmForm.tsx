import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../texts/index.ts';

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
  onConfirm: () => unknown;
  onClose: () => void;
}

/** The dialog itself, see ConfirmDialog. */
export function ConfirmForm(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={props.title}>
      <Form {...props} />
    </Modal>
  );
}

function Form({
  children,
  verb,
  otherVerb = t.common.cancel,
  isDestructive = true,
  count = 1,
  isPending = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const isTyped = count < TYPED_FROM || typed.trim() === String(count);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped && !isPending) onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>{children}</div>
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {otherVerb}
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'red' : 'blue'}
            loading={isPending}
            disabled={!isTyped}
            data-autofocus={count < TYPED_FROM || undefined}
          >
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
