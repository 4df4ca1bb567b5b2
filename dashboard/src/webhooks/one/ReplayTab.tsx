import { Alert, Radio, Stack, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { useAsk, useChange } from '../../kernel/queries.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { ErrorText } from '../../ui/states.tsx';
import { toastError } from '../../ui/toasts.ts';
import { rightToChange } from '../state/rightToChange.ts';
import type { WebhookSummary } from '../state/webhookState.ts';
import styles from './one.module.css';
import { REPLAY_PREVIEW } from './replay.ts';
import { instantOf, localText } from './times.ts';

const REPLAY = graphql(`
  mutation ReplayWebhook($id: ID!, $input: ReplayInput!) {
    replayWebhook(id: $id, input: $input) {
      count
    }
  }
`);

const KINDS = ['failed', 'missing', 'all'] as const;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

/** Null where what was missed is no longer kept. */
function missedSinceOf(disabledAt: string | null): string | null {
  return disabledAt !== null && Date.now() - Date.parse(disabledAt) < KEPT_DAYS * DAY_MS ? disabledAt : null;
}

/** Events of a time range, sent again, with their number said before. The range is in the address. */
export function ReplayTab({ webhook }: { webhook: WebhookSummary }) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const [yesterday] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  // What a webhook that is off has missed is what its page speaks of.
  const missedSince = webhook.status === 'disabled' ? missedSinceOf(webhook.disabledAt) : null;
  const since = instantOf(search.since) ?? missedSince ?? yesterday;
  const until = instantOf(search.until);
  const status = KINDS.find((kind) => kind === search.which) ?? (missedSince ? 'missing' : 'failed');
  const variables = { id: webhook.id, input: { since, until, status } };
  const preview = useAsk({ about: 'deliveries', document: REPLAY_PREVIEW, variables, keepsEarlier: false });
  const replay = useChange({ document: REPLAY, touches: ['deliveries', 'webhooks'] });
  const { replay: texts } = t.webhooks;
  const change = (changed: Record<string, string | undefined>) => {
    replay.reset();
    void navigate({
      to: '/webhooks/$webhookId',
      params: { webhookId: webhook.id },
      search: { ...search, tab: 'replay', ...changed } as never,
      replace: true,
      resetScroll: false,
    });
  };
  const count = preview.data?.replayPreview.count;
  const sent = replay.data?.replayWebhook.count;
  const isOff = webhook.status === 'disabled';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replay.mutate(variables, { onError: toastError });
  };
  return (
    <Card>
      <form onSubmit={submit}>
        <Stack>
          <p className={styles.lead}>{texts.about}</p>
          <div className={styles.range}>
            <TextInput
              type="datetime-local"
              label={texts.since}
              min={localText(Date.now() - KEPT_DAYS * DAY_MS)}
              value={localText(Date.parse(since))}
              onChange={(event) => change({ since: instantOf(event.currentTarget.value) ?? undefined })}
            />
            <TextInput
              type="datetime-local"
              label={texts.until}
              value={until ? localText(Date.parse(until)) : ''}
              onChange={(event) => change({ until: instantOf(event.currentTarget.value) ?? undefined })}
            />
          </div>
          <Radio.Group label={texts.which} value={status} onChange={(which) => change({ which })}>
            <Stack gap={6} mt={6}>
              {KINDS.map((kind) => (
                <Radio key={kind} value={kind} label={texts.kinds[kind]} />
              ))}
            </Stack>
          </Radio.Group>
          {sent === undefined ? (
            <div role="status">
              {preview.error ? <ErrorText error={preview.error} /> : null}
              {count === undefined && !preview.error ? texts.counting : null}
              {count === undefined ? null : count === 0 ? texts.nothing : texts.willSend(formatExact(count), count)}
              {isOff ? ` ${texts.offHint}` : null}
            </div>
          ) : (
            <Alert color="green" variant="light" role="status">
              {sent === 0 ? texts.none : texts.done(formatExact(sent), sent)}
            </Alert>
          )}
          <div>
            <GuardedButton
              scope={rightToChange(webhook)}
              type="submit"
              loading={replay.isPending}
              disabled={!count || isOff || sent !== undefined}
            >
              {count ? texts.actionCount(formatExact(count), count) : texts.action}
            </GuardedButton>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
