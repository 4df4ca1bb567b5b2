import { Alert, Button } from '@mantine/core';
import type { FormDraft } from '../kernel/useFormDraft.ts';
import { t } from '../texts/index.ts';
import { LeaveGuard } from './LeaveGuard.tsx';

interface UnsavedWorkProps {
  form: Pick<FormDraft<object>, 'isChanged' | 'isRestored'>;
  onDiscard: () => void;
}

/** Above a form: says that earlier work was found again, and asks before the page is left with unsaved work. */
export function UnsavedWork({ form, onDiscard }: UnsavedWorkProps) {
  return (
    <>
      <LeaveGuard isBlocking={form.isChanged} />
      {form.isRestored ? (
        <Alert color="blue" variant="light" role="status">
          {t.common.draftRestored}{' '}
          <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
            {t.common.discard}
          </Button>
        </Alert>
      ) : null}
    </>
  );
}
