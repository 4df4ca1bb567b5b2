import type { Things } from '../operations.ts';
import type { Tenant } from '../tenants.ts';
import type { World } from '../world.ts';

/** What a mutation is asked with: a project, the things in it, and the cookie of the owner of its team. */
export interface Prepared {
  world: World;
  mine: Tenant;
  things: Things;
  owner: string;
  /** Of whoever asks: the owner, unless the row says otherwise. */
  cookie: string;
}

/** How a mutation is called so that it changes something, and what is noted of it then. */
export interface AuditedMutation {
  action: string;
  /** It makes the team that the note is of. */
  isOfNewTeam?: true;
  /** Its arguments; what it changes is prepared here. */
  variables(prepared: Prepared): object | Promise<object>;
}
