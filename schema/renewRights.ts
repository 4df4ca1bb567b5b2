import { defaultFieldResolver, type GraphQLField, getNamedType, isLeafType } from 'graphql';
import { NOBODY, type Principal } from '../src/access/principal.ts';
import { renewedPrincipal } from '../src/accounts/sessionService.ts';
import { type Context, changePrincipal } from './context.ts';

/** Documents with a mutation that has run: it may have changed the rights of their person. */
const changed = new WeakSet<Context>();

/**
 * Makes what a mutation changes of a person's rights hold for the fields of its answer, and for the next mutation of the same
 * document: somebody who has just created or joined a team has a role in it, and somebody who has left one has none. The answer is
 * read with the former rights as well, because it shows what the person could still see when they asked.
 */
export function renewRights(field: GraphQLField<unknown, Context>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  const hasFields = !isLeafType(getNamedType(field.type));
  field.resolve = async (root, args, context, info) => {
    if (changed.has(context)) changePrincipal(context, await renewed(context.principal));
    const answer = await resolve(root, args, context, info);
    changed.add(context);
    if (hasFields) changePrincipal(context, withFormer(context.principal, await renewed(context.principal)));
    return answer;
  };
}

async function renewed(principal: Principal): Promise<Principal> {
  return principal.kind === 'session' ? ((await renewedPrincipal(principal)) ?? NOBODY) : principal;
}

function withFormer(former: Principal, present: Principal): Principal {
  if (former.kind !== 'session' || present.kind !== 'session') return former;
  const roles = new Map([...former.roles, ...present.roles]);
  const deletedRoles = new Map([...former.deletedRoles, ...present.deletedRoles]);
  return { ...former, roles, deletedRoles };
}
