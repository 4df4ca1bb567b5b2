import type { Schema } from './checkSchema.ts';
import type { Ownership } from './compareRow.ts';
import { diffLinks } from './diffLinks.ts';
import { diffDomains, diffTags, diffWebhooks } from './diffOthers.ts';
import { fieldTable } from './fields.ts';
import { ownerOf } from './sections.ts';
import type { Action, Actual, Counts, Plan, PlanOptions, Row, Stack } from './types.ts';

/** The bounds of octoDNS: above 30 % of at least ten, somebody has probably the wrong file. */
const GUARD_MIN = 10;
const GUARD_SHARE = 0.3;

/** Compares what the files want with what the server has. */
export function diff(stack: Stack, actual: Actual, options: PlanOptions, schema: Schema): Omit<Plan, 'digest'> {
  const table = fieldTable(schema);
  const ownership: Ownership = {
    owner: ownerOf(stack.name),
    formerOwner: options.fromStack ? ownerOf(options.fromStack) : null,
    mayAdopt: options.adopt ?? false,
  };
  const given = { stack, actual, options, ownership };
  const tags = diffTags({ ...given, table: table.tag });
  const domains = diffDomains({ ...given, table: table.domain });
  const links = diffLinks({ ...given, table: table.link });
  const webhooks = diffWebhooks({ ...given, table: table.webhook }, links.externalIdOf);
  const parts = [tags, domains, links, webhooks];
  const actions = parts.flatMap((part) => part.actions);
  const counts = countsOf(actions, sum(parts, 'unchanged'), sum(parts, 'kept'));
  return {
    version: 1,
    stack: stack.name,
    project: { id: actual.project.id, name: actual.project.name },
    files: stack.files,
    links: stack.wanted.filter(({ kind }) => kind === 'link').length,
    options: {
      prune: options.prune ?? null,
      adopt: ownership.mayAdopt,
      fromStack: options.fromStack ?? null,
      updateSecrets: options.updateSecrets ?? false,
    },
    counts,
    actions,
    warnings: parts.flatMap((part) => part.warnings),
    guard: options.allowMany ? null : guardOf(counts, actual, ownership.owner),
  };
}

/** Whether applying would change anything. */
export function hasChanges({ actions }: Plan): boolean {
  return actions.some(({ verb }) => verb !== 'conflict');
}

function sum(parts: { unchanged: number; kept: number }[], field: 'unchanged' | 'kept'): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

function countsOf(actions: Action[], unchanged: number, kept: number): Counts {
  const counts: Counts = {
    create: 0,
    change: 0,
    move: 0,
    adopt: 0,
    archive: 0,
    delete: 0,
    release: 0,
    conflict: 0,
    unchanged,
    kept,
  };
  for (const { verb } of actions) counts[verb] += 1;
  return counts;
}

function guardOf(counts: Counts, actual: Actual, owner: string): string | null {
  const isOwned = (row: Row) => row.managed_by === owner && !row.archived_at;
  const owned = [actual.links, actual.tags, actual.domains, actual.webhooks].flat().filter(isOwned).length;
  if (owned < GUARD_MIN) return null;
  const pruned = counts.archive + counts.delete;
  const many = [
    [pruned, 'archived or deleted'],
    [counts.change, 'changed'],
  ].find(([count]) => (count as number) > owned * GUARD_SHARE);
  if (!many) return null;
  const share = Math.round(((many[0] as number) / owned) * 100);
  return `${many[0]} of ${owned} (${share} %) would be ${many[1]}, more than ${GUARD_SHARE * 100} %; --allow-many permits it.`;
}
