import { useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { graphql } from '../kernel/graphql.ts';
import { refresh, type Subject, useChange } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { toast, toastError } from '../ui/toasts.ts';

const ACKNOWLEDGE = graphql(`
  mutation AcknowledgeAlert($id: ID!) {
    acknowledgeAlert(id: $id) {
      id
    }
  }
`);

const RESOLVE = graphql(`
  mutation ResolveAlert($id: ID!) {
    resolveAlert(id: $id) {
      id
    }
  }
`);

const TOUCHED: readonly Subject[] = ['alerts', 'setup', 'audit'];

/** Acknowledging and resolving an alert. Neither has a way back. `onDone` is for the focus, whose button is gone. */
export function useAlertChanges(onDone?: () => void) {
  const acknowledge = useChange({
    document: ACKNOWLEDGE,
    touches: TOUCHED,
    onDone: () => {
      toast(t.watch.alerts.acknowledged(1));
      onDone?.();
    },
  });
  const resolve = useChange({
    document: RESOLVE,
    touches: TOUCHED,
    onDone: () => {
      toast(t.watch.alerts.resolved);
      onDone?.();
    },
  });
  return {
    isPending: acknowledge.isPending || resolve.isPending,
    acknowledge: (id: string) => acknowledge.mutate({ id }, { onError: toastError }),
    resolve: (id: string) => resolve.mutate({ id }, { onError: toastError }),
  };
}

/** Acknowledges several alerts one after another; those before a failure stay acknowledged. */
export function useAcknowledgeAll(onDone: () => void) {
  const [isPending, setIsPending] = useState(false);
  const acknowledgeAll = async (ids: readonly string[]) => {
    if (isPending) return;
    setIsPending(true);
    try {
      for (const id of ids) await ask(ACKNOWLEDGE, { id });
      toast(t.watch.alerts.acknowledged(ids.length));
      onDone();
    } catch (error) {
      toastError(error);
    } finally {
      setIsPending(false);
      void refresh(TOUCHED);
    }
  };
  return { isPending, acknowledgeAll };
}
