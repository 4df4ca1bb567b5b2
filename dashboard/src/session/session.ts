import { queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { createContext, use } from 'react';
import { ask } from '../kernel/ask.ts';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { queryClient } from '../kernel/queries.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { announceSignIn } from './otherTabs.ts';

const PROJECT_ROWS = graphql(`
  fragment ProjectRows on ProjectPage @_unmask {
    data {
      id
      name
      teamId
      defaultDomain
      health
      apps {
        ... on IosApp {
          platform
        }
        ... on AndroidApp {
          platform
        }
      }
    }
    nextCursor
  }
`);

const SESSION = graphql(
  `
  query Session {
    me {
      id
      email
      emailConfirmed
      secondFactor
      deletionAt
    }
    service {
      baseUrl
      linkDomain
      version
      allowsPrivateTargets
      knowsCities
      deletionDays
      eventTypes {
        type
        about
      }
    }
    teams(limit: 100) {
      data {
        id
        name
        status
        readOnlyReason
        role
        scopes
      }
    }
    projects(limit: 100) {
      ...ProjectRows
    }
  }
`,
  [PROJECT_ROWS],
);

const MORE_PROJECTS = graphql(
  `
  query MoreProjects($cursor: String!) {
    projects(limit: 100, cursor: $cursor) {
      ...ProjectRows
    }
  }
`,
  [PROJECT_ROWS],
);

type SessionData = ResultOf<typeof SESSION>;
export type Team = SessionData['teams']['data'][number];
export type Project = SessionData['projects']['data'][number];

/** Whose session opens no page: nobody's, and those of people who can only confirm their e-mail or restore their account. */
const NO_PAGES = new Set(['not_signed_in', 'email_unconfirmed', 'account_deleted']);

async function askSession(signal: AbortSignal) {
  try {
    const { me, projects, ...rest } = await ask(SESSION, {}, signal);
    return me && me.deletionAt === null
      ? { me, ...rest, projects: { data: await allProjects(projects, signal) } }
      : null;
  } catch (error) {
    if (NO_PAGES.has(codeOf(error))) return null;
    throw error;
  }
}

/** All of them: the address may name any, and people find theirs by its name. */
async function allProjects(first: SessionData['projects'], signal: AbortSignal): Promise<Project[]> {
  const found = [...first.data];
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const { projects } = await ask(MORE_PROJECTS, { cursor }, signal);
    found.push(...projects.data);
    cursor = projects.nextCursor;
  }
  return found;
}

/** Who is signed in, and what of the installation, teams and projects every page needs; null: nobody who may see a page. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => askSession(signal),
  staleTime: 60_000,
});

/** The session of the pages inside the shell. They read it from here, so that none of them outlives it by a render. */
export const SessionContext = createContext<NonNullable<Awaited<ReturnType<typeof askSession>>> | null>(null);

/** For a component inside the shell, where somebody is signed in. */
export function useSession() {
  const session = use(SessionContext);
  if (!session) throw new Error('Nobody is signed in');
  return { user: session.me, service: session.service, teams: session.teams.data, projects: session.projects.data };
}

/** The project of the page: that of the address, else the one used last, else the first. Null where there is none. */
export function useProject(): Project | null {
  const { projects } = useSession();
  const { project: wanted } = useSearch({ strict: false }) as { project?: string };
  return chooseProject(projects, wanted);
}

/** The project of a page that only stands where there is one. */
export function useProjectId(): string {
  const project = useProject();
  if (!project) throw new Error('There is no project');
  return project.id;
}

export function chooseProject(projects: readonly Project[], wanted: string | undefined): Project | null {
  const byId = (id: string | null | undefined) => projects.find((project) => project.id === id);
  // Once for this tab: what is chosen in another one must not change the project under the hands of this person.
  lastProject ??= readPreference('project');
  return byId(wanted) ?? byId(lastProject) ?? projects[0] ?? null;
}

let lastProject: string | null = null;

/** The project to begin with, for this tab and for new ones. */
export function rememberProject(id: string): void {
  lastProject = id;
  writePreference('project', id);
}

/** The team that the address names, else that of the page's project, else the first. */
export function useTeam(): Team | null {
  const { teams } = useSession();
  const project = useProject();
  const { team: wanted } = useSearch({ strict: false }) as { team?: string };
  const byId = (id: string | undefined) => teams.find((team) => team.id === id);
  return byId(wanted) ?? byId(project?.teamId) ?? teams[0] ?? null;
}

/** Somebody has signed in: forgets everything that was loaded before, and tells the other tabs. */
export function beginSession(): void {
  queryClient.clear();
  announceSignIn();
}

/** Asks the server whether the session still goes on. If it has ended, `onSessionEnd` hears of it. */
export async function checkSession(): Promise<void> {
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(() => {});
}

/** Nobody is signed in any more: pages notice at once, and nothing that was loaded for the person is left. */
export function endSession(): void {
  queryClient.setQueryData(sessionQuery.queryKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey.length > 1 });
  queryClient.getMutationCache().clear();
}
