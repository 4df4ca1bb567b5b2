import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ask } from '../kernel/ask.ts';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useProject, useSession } from '../session/session.ts';
import { useItsPlace } from '../session/useItsPlace.ts';

const INSTALL_IN_PROJECT = graphql(`
  query InstallInProject($projectId: ID!, $id: ID!) {
    install(projectId: $projectId, id: $id) {
      id
    }
  }
`);

/** Each is a request of its own. */
const MOST_PROJECTS = 20;

/**
 * An install is known by its project and its id, while an address may name the id alone: it is looked for in the person's other
 * projects, and the address then names its project, so that it can be handed on.
 *
 * @param isFound whether it is one of the project of the page; undefined while that is not known
 * @returns whether the page stands in its place, or there is none
 */
export function useInstallPlace(id: string, isFound: boolean | undefined): boolean {
  const navigate = useNavigate({ from: '/apps/installs/$installId' });
  const { project: named } = useSearch({ from: '/shell/apps/installs/$installId' });
  const { projects } = useSession();
  const project = useProject();
  const others = projects.filter((one) => one.id !== project?.id).slice(0, MOST_PROJECTS);
  const { data: place, isLoading } = useQuery({
    queryKey: ['apps', 'InstallPlace', id],
    queryFn: ({ signal }) =>
      findPlace(
        id,
        others.map((one) => one.id),
        signal,
      ),
    enabled: isFound === false,
  });
  const current = project?.id;
  useEffect(() => {
    if (!isFound || named !== undefined) return;
    void navigate({ search: (earlier) => ({ ...earlier, project: current }), replace: true, resetScroll: false });
  }, [isFound, named, current, navigate]);
  const isInPlace = useItsPlace(isFound === false && place ? { projectId: place } : undefined);
  return isInPlace && !isLoading;
}

async function findPlace(id: string, projectIds: readonly string[], signal: AbortSignal): Promise<string | null> {
  for (const projectId of projectIds) {
    try {
      await ask(INSTALL_IN_PROJECT, { projectId, id }, signal);
      return projectId;
    } catch (error) {
      if (!['not_found', 'insufficient_scope'].includes(codeOf(error))) throw error;
    }
  }
  return null;
}
