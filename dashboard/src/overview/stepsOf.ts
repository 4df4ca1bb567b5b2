import type { Project } from '../session/session.ts';
import type { SetupData } from './operations.ts';

export type StepName = 'create' | 'open' | 'webhook' | 'api' | 'own';

export interface Step {
  name: StepName;
  isDone: boolean;
}

/** The first steps in their order, and whether each is done: every step sees its own end. */
export function stepsOf({ newest, clicked, webhooks, keys, domains }: SetupData, project: Project | null): Step[] {
  return [
    { name: 'create', isDone: newest.data.length > 0 },
    { name: 'open', isDone: clicked.data.some(({ clicks }) => clicks > 0) },
    { name: 'webhook', isDone: webhooks.data.length > 0 },
    { name: 'api', isDone: keys.data.some(({ kind, lastUsedAt }) => kind === 'secret' && lastUsedAt !== null) },
    { name: 'own', isDone: domains.data.length > 0 || (project?.apps.length ?? 0) > 0 },
  ];
}
