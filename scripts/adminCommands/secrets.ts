import { reseal } from '../../src/db/reseal.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

const DONE =
  'Nothing stored needs SECRET_KEY_PREVIOUS any more. Signed links and cookies of before do until they expire.';
const UNREADABLE =
  'What cannot be read was encrypted with a key that is not in SECRET_KEY_PREVIOUS. Add it and run this again.';

export const SECRET_COMMANDS: AdminCommand[] = [
  {
    name: 'reseal',
    usage: '',
    about:
      'encrypts every stored secret anew with SECRET_KEY, so that SECRET_KEY_PREVIOUS can be emptied; can be repeated',
    async run(args) {
      if (args.length > 0) throw new WrongArguments();
      const results = await reseal();
      const lines = results.map(
        ({ table, resealed, upToDate, unreadable }) =>
          `  ${table.padEnd(20)} ${resealed} encrypted anew, ${upToDate} already were, ${unreadable} cannot be read`,
      );
      const isWhole = results.every(({ unreadable }) => unreadable === 0);
      if (!isWhole) throw new Error(`${lines.join('\n')}\n${UNREADABLE}`);
      return `${lines.join('\n')}\n${DONE}`;
    },
  },
];
