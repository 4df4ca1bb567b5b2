import type { Event } from '../models/Event.ts';

/** An event as receivers get it and as lists show it. */
export interface Envelope {
  id: string;
  type: string;
  apiVersion: string;
  createdAt: Date;
  teamId: string;
  projectId: string | null;
  /** True for a sample that was requested by hand. */
  test: boolean;
  data: Record<string, unknown>;
}

export function envelopeOf(event: Event, apiVersion: string): Envelope {
  const { id, type, createdAt, teamId, projectId, data } = event;
  return { id, type, apiVersion, createdAt, teamId, projectId, test: event.webhookId !== null, data };
}

/** The request body of a delivery. It is rendered once and stored, so that every attempt sends the same bytes. */
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
