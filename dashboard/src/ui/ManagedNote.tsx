import { Alert } from '@mantine/core';
import { t } from '../texts/index.ts';

export interface ManagedNoteProps {
  /** What manages the thing, such as `code:marketing`. */
  managedBy: string;
  /** `warning`: beside a form, that a change will not last. `line`: in a row of a list. */
  look?: 'note' | 'warning' | 'line';
}

const CODE = 'code:';

/** Says what manages a thing beside people. */
export function ManagedNote({ managedBy, look = 'note' }: ManagedNoteProps) {
  const isCode = managedBy.startsWith(CODE);
  const title = isCode ? t.managed.byCode(managedBy.slice(CODE.length)) : t.managed.by(managedBy);
  if (look === 'line') return <small>{title}</small>;
  return (
    <Alert variant="light" color={look === 'warning' ? 'yellow' : 'gray'} title={title} role="note">
      {look === 'note' ? null : isCode ? t.managed.driftOfCode : t.managed.drift}
    </Alert>
  );
}
