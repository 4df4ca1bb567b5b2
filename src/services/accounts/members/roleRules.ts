import { CodedError } from '../../../kernel/errors.ts';
import type { Role } from '../../../models/Membership.ts';

/** Roles that let people in, change what they may do and remove them. */
const MANAGERS: readonly Role[] = ['owner', 'admin'];

/** Whether that role may have to do with members of another: owners with all, admins with all but owners. */
export function manages(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner');
}

/** Throws `insufficient_scope` unless `role` manages all of the others. */
export function refuseUnlessManages(role: Role, ...others: Role[]): void {
  if (!MANAGERS.includes(role)) {
    throw new CodedError('insufficient_scope', `Owners and admins may do this; your role is ${role}.`);
  }
  if (!others.every((other) => manages(role, other))) {
    throw new CodedError('insufficient_scope', 'Owners alone make, change and remove owners; your role is admin.');
  }
}
