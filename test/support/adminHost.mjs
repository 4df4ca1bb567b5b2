import { pathToFileURL } from 'node:url';

/**
 * Runs commands of `npm run admin` one after another in one process: loading the program takes a second, most commands a moment.
 * The parent, test/support/admin.ts, sends words and environment; the exit code follows the output on both streams.
 */
const { adminProgram } = await import(pathToFileURL(process.argv[2]).href);

process.on('disconnect', () => process.exit(0));
process.on('message', async ({ words, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  await adminProgram(words);
  const end = `\0${process.exitCode}\0`;
  process.exitCode = 0;
  process.removeAllListeners('SIGINT');
  process.stderr.write(end);
  process.stdout.write(end);
});
process.send('ready');
