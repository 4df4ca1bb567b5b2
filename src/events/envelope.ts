import type { Event } from '../models/Event.ts';

/** What is told of an event, to receivers and in lists alike. */
export interface Envelope {
  id: string;
  type: string;
  apiVersion: string;
  createdAt: Date;
  teamId: string;
  projectId: string | null;
  /** A sample that somebody asked for; nothing happened. */
  test: boolean;
  data: Record<string, unknown>;
}

export function envelopeOf(event: Event, apiVersion: string): Envelope {
  const { id, type, createdAt, teamId, projectId, data } = event;
  return { id, type, apiVersion, createdAt, teamId, projectId, test: event.webhookId !== null, data };
}

/** The JSON that receivers get, rendered once for each delivery so that every attempt has the same bytes. */
export function renderEnvelope(event: Event, version: string): string {
  const { id, type, apiVersion, createdAt, teamId, projectId, test, data } = envelopeOf(event, version);
  return JSON.stringify({
    id,
    type,
    api_version: apiVersion,
    created_at: createdAt.toISOString(),
    team_id: teamId,
    project_id: projectId,
    test,
    data,
  });
}
