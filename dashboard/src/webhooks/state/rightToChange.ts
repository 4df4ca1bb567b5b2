import type { Right } from '../../session/permissions.ts';
import type { WebhookSummary } from './webhookState.ts';

/** What a person must be allowed to change it, or to have it send something: one of the whole team is for owners and admins. */
export function rightToChange({ projectId }: Pick<WebhookSummary, 'projectId'>): Right {
  return projectId === null ? 'team:manage' : 'webhooks:write';
}
