import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { isBaseOnThisMachine } from '../../kernel/origins.ts';
import type { Client } from './Client.ts';

/**
 * Who may make an account now. SIGN_UP=auto goes by where BASE_URL is and where the request came from: whoever reaches the
 * port from another machine can write any Host.
 */
export function signUpPolicy(isFromThisMachine = true): 'open' | 'invitation' | 'closed' {
  if (config.signUp !== 'auto') return config.signUp as 'open' | 'invitation' | 'closed';
  return isFromThisMachine && isBaseOnThisMachine() ? 'open' : 'invitation';
}

/** Throws `sign_up_closed`, which says how to get in. */
export function refuseClosedSignUp(
  { invitationToken }: { invitationToken?: string | null },
  { isFromThisMachine }: Pick<Client, 'isFromThisMachine'>,
): void {
  const policy = signUpPolicy(isFromThisMachine);
  if (policy === 'closed') {
    throw new CodedError('sign_up_closed', 'No accounts are made here. Ask whoever runs this installation.');
  }
  if (policy === 'invitation' && !invitationToken) {
    const message = 'Accounts are made by invitation. Ask an owner or admin of a team to invite you.';
    throw new CodedError('sign_up_closed', message);
  }
}
