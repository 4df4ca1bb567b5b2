import type { TadaDocumentNode } from 'gql.tada';
import { useState } from 'react';
import { ask } from './ask.ts';
import { useBusy } from './busy.ts';

/**
 * Asks for something secret. Unlike that of `useChange`, its answer goes into no cache: only the caller has it. Rejects with
 * what the server refused.
 */
export function useSecretRequest<Data, Variables>(document: TadaDocumentNode<Data, Variables>) {
  const [isPending, setIsPending] = useState(false);
  useBusy(isPending);
  const request = async (variables: Variables): Promise<Data> => {
    setIsPending(true);
    try {
      return await ask(document, variables);
    } finally {
      setIsPending(false);
    }
  };
  return { request, isPending };
}
