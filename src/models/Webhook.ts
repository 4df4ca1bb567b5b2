import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** Requests in flight to one webhook at once: by default, and at most. The numbers of the contract. */
export const DEFAULT_IN_FLIGHT = 10;
export const MOST_IN_FLIGHT = 100;

/**
 * An endpoint that receives events: of the team if `projectId` is null, otherwise of the project, the link `linkId` or the
 * tag `tagId`. `secrets` is an encrypted JSON list, newest first: see webhooks/secretService. `lane` identifies the worker
 * that sends its deliveries, whose lease ends at `laneUntil`. Queries skip deleted webhooks; their rows are deleted in small
 * batches.
 */
@table(
  'webhooks',
  {
    id: c.id(),
    teamId: c.text(),
    projectId: c.optionalText(),
    linkId: c.optionalText(),
    tagId: c.optionalText(),
    url: c.text(),
    description: c.optionalText(),
    externalId: c.optionalText(),
    managedBy: c.optionalText(),
    createdBy: c.optionalText(),
    urlSetBy: c.optionalText(),
    eventTypes: c.json(),
    includeBots: c.flag(false),
    batchMaxEvents: c.optionalInteger(),
    batchMaxWaitSeconds: c.optionalInteger(),
    hasBatched: c.flag(false),
    maxInFlight: c.integer(DEFAULT_IN_FLIGHT),
    status: { ...c.text(), defaultValue: 'enabled' },
    disabledReason: c.optionalText(),
    circuit: { ...c.text(), defaultValue: 'closed' },
    consecutiveFailures: c.integer(0),
    probePauseSeconds: c.integer(0),
    nextProbeAt: c.optionalTime(),
    circuitOpenedAt: c.optionalTime(),
    generation: c.integer(0),
    disabledAt: c.optionalTime(),
    deletedAt: c.optionalTime(),
    lane: c.optionalText(),
    laneUntil: c.optionalTime(),
    apiVersion: c.text(),
    secrets: c.text(),
  },
  { defaultScope: { where: { deletedAt: null } } },
)
export class Webhook extends Model {
  declare id: string;
  declare teamId: string;
  declare projectId: string | null;
  declare linkId: string | null;
  declare tagId: string | null;
  declare url: string;
  declare description: string | null;
  /** Unique among the webhooks of the project, or among those of the whole team. */
  declare externalId: string | null;
  declare managedBy: string | null;
  /** The user or key that created it, and the one that last said where it sends to; null where nobody knows any more. */
  declare createdBy: string | null;
  declare urlSetBy: string | null;
  declare eventTypes: string[];
  declare includeBots: boolean;
  /** The most events of one request, and how long the first of them waits; both null: each event is sent by itself. */
  declare batchMaxEvents: number | null;
  declare batchMaxWaitSeconds: number | null;
  /** Whether it ever had batches: events may wait that came before they were switched off. */
  declare hasBatched: boolean;
  /** Requests in flight at once. */
  declare maxInFlight: number;
  declare status: 'enabled' | 'disabled';
  declare disabledReason: 'manual' | 'failures' | 'gone' | null;
  declare circuit: 'closed' | 'open';
  declare consecutiveFailures: number;
  /** Delay between the last two probes of an open circuit; 0 before the first one. */
  declare probePauseSeconds: number;
  declare nextProbeAt: Date | null;
  /** Null while the circuit is closed. */
  declare circuitOpenedAt: Date | null;
  /** Incremented by each new URL and each enabling: earlier attempts say nothing about the current receiver. */
  declare generation: number;
  declare disabledAt: Date | null;
  declare deletedAt: Date | null;
  declare lane: string | null;
  declare laneUntil: Date | null;
  declare apiVersion: string;
  declare secrets: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}
