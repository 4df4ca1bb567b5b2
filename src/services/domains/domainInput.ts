/** Where visitors of a link domain go that no link takes; a field that is not sent is undefined, null clears. */
export interface DomainInput {
  rootDestination?: string | null;
  notFoundDestination?: string | null;
  expiredDestination?: string | null;
}

/** What can be said at creation alone. */
export interface NewDomain extends DomainInput {
  projectId: string;
  hostname: string;
  kind?: 'link' | 'web' | null;
}

export const DESTINATIONS = ['rootDestination', 'notFoundDestination', 'expiredDestination'] as const;
