import { useState } from 'react';
import { ask } from '../kernel/ask.ts';
import type { Json } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { type OneProject, PROJECT, UPDATE_PROJECT } from './operations.ts';

interface AppsChange {
  projectId: string;
  /** The apps as they should be, by those that there are. */
  edit: (project: OneProject) => Json[];
  onError: (error: Error) => void;
}

/** Changes apps of a project. The API replaces the whole list, so it is read once more: somebody else may have changed others. */
export function useAppsChange(onDone: () => void) {
  const [isReading, setIsReading] = useState(false);
  const update = useChange({
    document: UPDATE_PROJECT,
    touches: ['projects', 'session', 'apps', 'health', 'setup'],
    onDone,
  });
  const change = async ({ projectId: id, edit, onError }: AppsChange) => {
    setIsReading(true);
    try {
      const { project } = await ask(PROJECT, { id });
      update.mutate({ id, input: { apps: edit(project) } }, { onError });
    } catch (error) {
      onError(error as Error);
    } finally {
      setIsReading(false);
    }
  };
  return { change, isPending: isReading || update.isPending };
}
