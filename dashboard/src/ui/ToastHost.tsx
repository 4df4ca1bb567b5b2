import { Button, Group } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { t } from '../texts/index.ts';
import type { ToastAction } from './toasts.ts';

const SHOWN_MS = 6_000;
/** Toasts at a time; later ones wait. */
const LIMIT = 4;
/** Toasts with a button stay until they are closed, so that a way back can be thought about; the oldest makes room. */
const STAYING = LIMIT - 1;

/** Where toasts appear. */
export function ToastHost() {
  return <Notifications position="bottom-right" zIndex={400} limit={LIMIT} />;
}

export function showToast(message: string, action?: ToastAction): void {
  count += 1;
  const id = `toast-${count}`;
  const act = () => {
    notifications.hide(id);
    action?.run();
  };
  if (action) makeRoom(id);
  notifications.show({
    id,
    autoClose: action ? false : SHOWN_MS,
    onClose: () => staying.delete(id),
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

/** The toasts with a button that are open, oldest first. */
const staying = new Set<string>();

function makeRoom(id: string): void {
  staying.add(id);
  const [oldest] = staying;
  if (staying.size > STAYING && oldest !== undefined) {
    staying.delete(oldest);
    notifications.hide(oldest);
  }
}

let count = 0;
