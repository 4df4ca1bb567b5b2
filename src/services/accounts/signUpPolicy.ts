import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { isBaseOnThisMachine } from '../../kernel/origins.ts';

/** Who may make an account now, with SIGN_UP=auto decided by where BASE_URL is. */
export function signUpPolicy(): 'open' | 'invitation' | 'closed' {
  if (config.signUp !== 'auto') return config.signUp as 'open' | 'invitation' | 'closed';
  return isBaseOnThisMachine() ? 'open' : 'invitation';
}

/** Throws `sign_up_closed`, which says how to get in. */
export function refuseClosedSignUp({ invitationToken }: { invitationToken?: string | null }): void {
  const policy = signUpPolicy();
  if (policy === 'closed') {
    throw new CodedError('sign_up_closed', 'No accounts are made here. Ask whoever runs this installation.');
  }
  if (policy === 'invitation' && !invitationToken) {
    const message = 'Accounts are made by invitation. Ask an owner or admin of a team to invite you.';
    throw new CodedError('sign_up_closed', message);
  }
}
