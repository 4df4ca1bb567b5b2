import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import type { ToastAction } from './toasts.ts';

const SHOWN_MS = 6_000;
const WITH_ACTION_MS = 10_000;

/** Where toasts appear. */
export function ToastHost() {
  return <Notifications position="bottom-right" zIndex={400} limit={4} />;
}

export function showToast(message: string, action?: ToastAction): void {
  count += 1;
  const id = `toast-${count}`;
  const act = () => {
    notifications.hide(id);
    action?.run();
  };
  notifications.show({
    id,
    autoClose: action ? WITH_ACTION_MS : SHOWN_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': t.common.close },
    message: action ? (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-sm" variant="light" onClick={act}>
          {action.label}
        </Button>
      </Group>
    ) : (
      message
    ),
  });
}

export function showError(title: string, error: unknown): void {
  const known = error instanceof GraphqlError ? error : null;
  const fields = known?.fields.map(({ message }) => message).join(' ');
  notifications.show({
    color: 'red',
    autoClose: false,
    withBorder: true,
    closeButtonProps: { 'aria-label': t.common.close },
    title,
    message: <span lang="en">{[(error as Error).message, fields].filter(Boolean).join(' ')}</span>,
  });
}

let count = 0;
