import { config } from '../../src/kernel/config.ts';
import { makeResetLink, resetSecondFactor } from '../../src/services/accounts/operatorResets.ts';
import { resetOwner } from '../../src/services/accounts/resetOwner.ts';
import { makeOperatorKey } from '../../src/services/keys/makeOperatorKey.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const ACCOUNT_COMMANDS: AdminCommand[] = [
  {
    name: 'reset-owner',
    usage: '',
    about: 'gives the owner a new password (OWNER_PASSWORD, or one is made), without a second factor, and prints it',
    async run(args) {
      if (args.length > 0) throw new WrongArguments();
      const { email, password } = await resetOwner(config.ownerPassword ?? undefined);
      return `\n  E-mail    ${email}\n  Password  ${password}\n\nEvery session of this user has ended.`;
    },
  },
  {
    name: 'new-key',
    usage: '[PROJECT_ID]',
    about: 'makes a secret key with every scope, in the first project unless another is named, and prints it',
    async run([projectId, ...more]) {
      if (more.length > 0) throw new WrongArguments();
      const { key, project } = await makeOperatorKey(projectId);
      return `\n  Project     ${project.name} (${project.id})\n  Secret key  ${key.key}\n\nKeys that were there go on.`;
    },
  },
  {
    name: 'reset-password',
    usage: 'EMAIL',
    about: 'prints a link with which that person (e-mail or id) sets a new password, once; for where no mail is sent',
    async run([email, ...more]) {
      if (!email || more.length > 0) throw new WrongArguments();
      const { url, expiresAt } = await makeResetLink(email);
      return `${url}\nIt is good once, until ${expiresAt.toISOString()}.`;
    },
  },
  {
    name: 'reset-second-factor',
    usage: 'EMAIL',
    about: 'lets that person sign in with the password alone, who has lost app and recovery codes',
    async run([email, ...more]) {
      if (!email || more.length > 0) throw new WrongArguments();
      const { wasOn } = await resetSecondFactor(email);
      return wasOn ? `The second factor of ${email} is off.` : `${email} has no second factor.`;
    },
  },
];
