import { createResetLink, resetOwner, resetSecondFactor } from '../../../src/accounts/operatorResets.ts';
import { createOperatorKey } from '../../../src/projects/keyService.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const ACCOUNT_COMMANDS: AdminCommand[] = [
  {
    name: 'reset-owner',
    usage: '',
    about:
      'sets a new password for the owner (OWNER_PASSWORD, or a random one), turns off the second factor, prints the password',
    async takeSettings({ ownerPassword }) {
      return { ownerPassword };
    },
    async run(args, { given }) {
      if (args.length > 0) throw new WrongArguments();
      const { email, password } = await resetOwner(given.ownerPassword ?? undefined);
      return `\n  Email     ${email}\n  Password  ${password}\n\nAll sessions of this user have ended.`;
    },
  },
  {
    name: 'new-key',
    usage: '[PROJECT_ID]',
    about: 'creates a secret key with every scope, in your first project unless another is named, and prints it',
    async run([projectId, ...more]) {
      if (more.length > 0) throw new WrongArguments();
      const { key, project } = await createOperatorKey(projectId);
      return `\n  Project     ${project.name} (${project.id})\n  Secret key  ${key.key}\n\nExisting keys go on working.`;
    },
  },
  {
    name: 'reset-password',
    usage: 'EMAIL',
    about:
      'prints a link with which that person (e-mail or id) can set a new password once; for installations without mail',
    async run([email, ...more]) {
      if (!email || more.length > 0) throw new WrongArguments();
      const { url, expiresAt } = await createResetLink(email);
      return `${url}\nIt can be used once, until ${expiresAt.toISOString()}.`;
    },
  },
  {
    name: 'reset-second-factor',
    usage: 'EMAIL',
    about: 'turns off the second factor of a person who has lost app and recovery codes',
    async run([email, ...more]) {
      if (!email || more.length > 0) throw new WrongArguments();
      const { wasOn } = await resetSecondFactor(email);
      return wasOn ? `The second factor of ${email} is off.` : `${email} has no second factor.`;
    },
  },
];
