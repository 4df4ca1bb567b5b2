import { graphql, type ResultOf } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import type { Team } from '../../session/session.ts';

const DELETED_PROJECTS = graphql(`
  query DeletedProjects($teamId: ID!) {
    deletedProjects(teamId: $teamId, limit: 100) {
      data {
        id
        name
        deletionAt
      }
    }
  }
`);

export type DeletedProject = ResultOf<typeof DELETED_PROJECTS>['deletedProjects']['data'][number];

/** Owners and admins may restore projects, also in survival mode: they would be lost otherwise. */
export function mayRestore({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}

/** The deleted projects that can still be restored. Not asked for by people who may not know of them. */
export function useDeletedProjects(team: Team) {
  const query = useAsk({
    about: 'projects',
    document: DELETED_PROJECTS,
    variables: { teamId: team.id },
    isEnabled: mayRestore(team),
    keepsEarlier: false,
  });
  return { ...query, rows: query.data?.deletedProjects.data ?? [] };
}
