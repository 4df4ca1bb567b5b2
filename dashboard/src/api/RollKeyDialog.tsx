import { Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { useSecretRequest } from '../kernel/useSecretRequest.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { toastError } from '../ui/toasts.ts';
import { NewKey } from './NewKey.tsx';
import type { Key } from './operations.ts';

const ROLL_KEY = graphql(`
  mutation RollKey($id: ID!, $input: RollKeyInput!) {
    rollKey(id: $id, input: $input) {
      kind
      key
    }
  }
`);

type Rolled = ResultOf<typeof ROLL_KEY>['rollKey'];
type Overlap = keyof typeof t.api.roll.overlaps;
const A_DAY: Overlap = '86400';

/** Replaces a key, and shows the new one for the only time. */
export function RollKeyDialog({ replaced, onClose }: { replaced: Key | null; onClose: () => void }) {
  const [next, setNext] = useState<Rolled | null>(null);
  const close = () => {
    setNext(null);
    onClose();
  };
  const isSecret = next?.kind === 'secret';
  return (
    <Dialog
      opened={replaced !== null}
      isKept={isSecret}
      onClose={close}
      title={next ? t.api.created.title : t.api.roll.title(replaced?.name ?? '')}
      size="lg"
    >
      {next ? (
        <NewKey secret={next.key ?? ''} isSecret={isSecret} onStored={close} />
      ) : (
        <Form id={replaced?.id ?? ''} onRolled={setNext} />
      )}
    </Dialog>
  );
}

function Form({ id, onRolled }: { id: string; onRolled: (key: Rolled) => void }) {
  const { roll } = t.api;
  const [overlap, setOverlap] = useState<Overlap>(A_DAY);
  const { request, isPending } = useSecretRequest(ROLL_KEY);
  const submit = async () => {
    try {
      const { rollKey } = await request({ id, input: { expirePreviousSeconds: Number(overlap) } });
      void refresh(['keys']);
      onRolled(rollKey);
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Stack>
      <div>{roll.about}</div>
      <Select
        label={roll.overlap}
        data={(Object.keys(roll.overlaps) as Overlap[]).map((value) => ({ value, label: roll.overlaps[value] }))}
        value={overlap}
        allowDeselect={false}
        onChange={(value) => setOverlap((value as Overlap | null) ?? overlap)}
      />
      <GuardedButton scope="keys:write" loading={isPending} onClick={() => void submit()}>
        {roll.submit}
      </GuardedButton>
    </Stack>
  );
}
