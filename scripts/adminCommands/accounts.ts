import { config } from '../../src/kernel/config.ts';
import { resetOwner } from '../../src/services/accounts/firstStart.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

export const ACCOUNT_COMMANDS: AdminCommand[] = [
  {
    name: 'reset-owner',
    usage: '',
    about: 'gives the owner a new password (OWNER_PASSWORD, or one is made) and prints it',
    async run(args) {
      if (args.length > 0) throw new WrongArguments();
      const { email, password } = await resetOwner(config.ownerPassword ?? undefined);
      return `\n  E-mail    ${email}\n  Password  ${password}\n\nEvery session of this user has ended.`;
    },
  },
];
