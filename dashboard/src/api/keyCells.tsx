import { Group, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { IconCheck, IconClock, IconClose } from '../ui/icons.ts';
import { StateChip } from '../ui/StateChip.tsx';
import { Time } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import { isWorking, type Key } from './operations.ts';
import { presetOf } from './scopes.ts';

const REVOKE_KEY = graphql(`
  mutation RevokeKey($id: ID!) {
    revokeKey(id: $id)
  }
`);

const KEEP_KEY = graphql(`
  mutation KeepKey($id: ID!) {
    keepKey(id: $id) {
      id
    }
  }
`);

export function KeyName({ apiKey: { name, creatorName } }: { apiKey: Key }) {
  return (
    <>
      <div>{name}</div>
      {creatorName === null ? null : <small>{t.api.createdBy(creatorName)}</small>}
    </>
  );
}

/** What the key may do, in words, with the scopes behind them. */
export function AccessOf({ apiKey: { scopes }, all }: { apiKey: Key; all: readonly string[] }) {
  const preset = presetOf(scopes, all);
  const words = preset === 'some' ? t.api.scopeCount(scopes.length) : t.api.presets[preset];
  return (
    <Tooltip label={scopes.join(', ')} multiline maw={320}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the scopes are shown on focus too */}
      <span tabIndex={0}>{words}</span>
    </Tooltip>
  );
}

export function LastUse({ apiKey: { lastUsedAt } }: { apiKey: Key }) {
  return lastUsedAt === null ? t.api.neverUsed : <Time at={lastUsedAt} />;
}

export function KeyState({ apiKey, now }: { apiKey: Key; now: number }) {
  const { expiresAt, revokedAt, endsWithMember } = apiKey;
  if (revokedAt !== null) {
    return (
      <>
        <StateChip look={{ tone: 'soft', icon: IconClose }}>{t.api.revoked}</StateChip> <Time at={revokedAt} />
      </>
    );
  }
  if (expiresAt === null) return <StateChip look={{ tone: 'good', icon: IconCheck }}>{t.api.works}</StateChip>;
  const isOver = !isWorking(apiKey, now);
  return (
    <>
      <StateChip look={{ tone: isOver ? 'soft' : endsWithMember ? 'warn' : 'accent', icon: IconClock }}>
        {isOver ? t.api.ended : t.api.ends}
      </StateChip>{' '}
      <Time at={expiresAt} />
      {endsWithMember ? <div>{t.api.creatorLeft}</div> : null}
    </>
  );
}

interface KeyActionsProps {
  apiKey: Key;
  now: number;
  onRoll: (key: Key) => void;
}

/** Keep, roll and revoke, for a key that works. */
export function KeyActions({ apiKey, now, onRoll }: KeyActionsProps) {
  const { id, name, endsWithMember } = apiKey;
  const [isRevoking, setIsRevoking] = useState(false);
  const keep = useChange({ document: KEEP_KEY, touches: ['keys'], onDone: () => toast(t.api.keep.done) });
  const revoke = useChange({
    document: REVOKE_KEY,
    touches: ['keys'],
    onDone: () => {
      setIsRevoking(false);
      toast(t.api.revoke.done);
    },
  });
  if (!isWorking(apiKey, now)) return null;
  const look = { scope: 'keys:write', variant: 'default', size: 'compact-sm' } as const;
  return (
    <Group gap={6} role="group" aria-label={t.api.actionsOf(name)}>
      {endsWithMember ? (
        <GuardedButton
          {...look}
          title={t.api.keep.about}
          loading={keep.isPending}
          onClick={() => keep.mutate({ id }, { onError: toastError })}
        >
          {t.api.keep.action}
        </GuardedButton>
      ) : null}
      <GuardedButton {...look} onClick={() => onRoll(apiKey)}>
        {t.api.roll.action}
      </GuardedButton>
      <GuardedButton {...look} onClick={() => setIsRevoking(true)}>
        {t.api.revoke.action}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isRevoking}
        title={t.api.revoke.title(name)}
        verb={t.api.revoke.action}
        isPending={revoke.isPending}
        onClose={() => setIsRevoking(false)}
        onConfirm={() => revoke.mutate({ id }, { onError: toastError })}
      >
        {t.api.revoke.body}
      </ConfirmDialog>
    </Group>
  );
}
