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

/** What the envelope of an event is made of; `data` is its JSON as it is stored. */
export interface StoredEnvelope {
  id: string;
  type: string;
  createdAt: Date;
  teamId: string;
  projectId: string | null;
  /** Set for a sample that was requested by hand. */
  webhookId: string | null;
  data: string;
}

/** An event as receivers get it: see `joinEnvelope`. */
export function renderEnvelope(event: Event, apiVersion: string): string {
  const { id, type, createdAt, teamId, projectId, webhookId, data } = event;
  const head = { id, type, createdAt, teamId, projectId, webhookId };
  return joinEnvelope({ ...head, data: JSON.stringify(data) }, apiVersion);
}

/**
 * An event as receivers get it, in JSON. Bodies are not stored but rendered for each attempt, and have to be the same bytes
 * every time: another order or another field needs a new `apiVersion`. A test compares with what was sent once.
 */
export function joinEnvelope(
  { id, type, createdAt, teamId, projectId, webhookId, data }: StoredEnvelope,
  apiVersion: string,
): string {
  const head = JSON.stringify({
    id,
    type,
    api_version: apiVersion,
    created_at: createdAt.toISOString(),
    team_id: teamId,
    project_id: projectId,
    test: webhookId !== null,
  });
  return `${head.slice(0, -1)},"data":${data}}`;
}

/** The request body of a batch of events, which are given as `joinEnvelope` renders them. */
export function renderBatch(envelopes: readonly string[]): string {
  return `{"type":"batch","events":[${envelopes.join(',')}]}`;
}
