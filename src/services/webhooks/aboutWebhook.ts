import type { Webhook } from '../../models/Webhook.ts';

/** What every note about a webhook says. */
export function aboutWebhook({ id, teamId, projectId, url }: Webhook) {
  return { teamId, projectId, subjectId: id, subjectName: url };
}
