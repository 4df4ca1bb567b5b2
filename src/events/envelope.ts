import type { Event } from '../models/Event.ts';

/** The JSON that receivers get, rendered once for each delivery so that every attempt has the same bytes. */
export function renderEnvelope(event: Event, apiVersion: string): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    api_version: apiVersion,
    created_at: event.createdAt.toISOString(),
    team_id: event.teamId,
    project_id: event.projectId,
    test: event.webhookId !== null,
    data: event.data,
  });
}
