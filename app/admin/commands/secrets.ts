import { reseal } from '../../../src/db/sealedColumns.ts';
import { keyIdOf, presentKeyId } from '../../../src/kernel/secrets.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

const DONE =
  'Stored secrets no longer need SECRET_KEY_PREVIOUS. Earlier signed links and cookies need it until they expire.';
const UNREADABLE =
  'Some secrets were encrypted with a key that is not in SECRET_KEY_PREVIOUS. Add that key and run this again.';
const OTHER_KEY =
  'The running product has another SECRET_KEY than is set here. Restart it with the new one, then run this again.';

export const SECRET_COMMANDS: AdminCommand[] = [
  {
    name: 'reseal',
    usage: '',
    about:
      'encrypts every stored secret again with SECRET_KEY, so that SECRET_KEY_PREVIOUS can be removed; safe to repeat',
    isLong: true,
    takeSettings: async (config) => ({ keyId: await keyIdOf(config) }),
    async run(args, { given, signal, showProgress }) {
      if (args.length > 0) throw new WrongArguments();
      // Otherwise the former key would be removed although everything is encrypted with it.
      if (given.keyId !== presentKeyId()) throw new Error(OTHER_KEY);
      const results = await reseal((table, rows) => {
        signal.throwIfAborted();
        showProgress(`${table}: ${rows} read`);
      });
      const lines = results.map(
        ({ table, resealed, upToDate, unreadable }) =>
          `  ${table.padEnd(20)} ${resealed} encrypted again, ${upToDate} already up to date, ${unreadable} unreadable`,
      );
      const isWhole = results.every(({ unreadable }) => unreadable === 0);
      if (!isWhole) throw new Error(`${lines.join('\n')}\n${UNREADABLE}`);
      return `${lines.join('\n')}\n${DONE}`;
    },
  },
];
