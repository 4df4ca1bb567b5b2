import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useSession } from '../session/session.ts';

const DOMAINS = graphql(`
  query LinkDomains($projectId: ID!) {
    domains(projectId: $projectId, kind: link, limit: 100) {
      data {
        hostname
        status
      }
    }
  }
`);

/** The hosts on which links of the project can be: that of the installation and its own that are proven. */
export function useDomains(projectId: string): string[] {
  const { service } = useSession();
  const { data } = useAsk({ about: 'domains', document: DOMAINS, variables: { projectId } });
  const own = data?.domains.data.filter(({ status }) => status !== 'pending').map(({ hostname }) => hostname) ?? [];
  return [...new Set([service.linkDomain, ...own])];
}
