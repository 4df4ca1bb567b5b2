import { graphql } from '../../kernel/graphql.ts';
import { useChange } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { toast } from '../../ui/toasts.ts';

const RESEND = graphql(`
  mutation ResendDelivery($id: ID!) {
    resendDelivery(id: $id) {
      id
    }
  }
`);

/** Sends a delivery again, whatever became of it. */
export function useResend() {
  return useChange({ document: RESEND, touches: ['deliveries'], onDone: () => toast(t.webhooks.deliveries.resent) });
}
