import { type CurrentKey, type SvcAnswer, SvcConnectionError } from '../../sdk/client/index.ts';
import { readConfig, writeConfig } from '../config/configFile.ts';
import { addressOf } from '../config/resolveProfile.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError, usageError } from '../errors.ts';
import { openInBrowser } from '../openInBrowser.ts';
import { ask, readStdin } from '../prompts.ts';

export const command = defineCommand({
  options: [
    ['--key-stdin', 'read the key from stdin, for scripts'],
    ['--no-browser', 'do not open the page where keys are made'],
  ],
  details:
    'Keeps the address and the key in the config file, which nobody else can read. A key is never taken as an argument, because those ' +
    'stand in the history of the shell and in the list of processes.',
  examples: [
    'login --url links.example.com',
    'login --url links.example.com --key-stdin < key.txt',
    'login --profile staging',
  ],
  async run(context, { flags }) {
    const url = await addressFor(context);
    if (context.profile.isUrlForeign) await requireOwnServer(context, url);
    if (isReadableByOthers(url))
      context.output.problem(`Warning: ${url} is not encrypted; anybody on the way can read the key.`);
    const key = flags.keyStdin ? (await readStdin()).trim() : await askForKey(context, url, flags.browser !== false);
    if (!key.startsWith('sk_live_')) {
      throw usageError('This is no secret key: those begin with sk_live_.', `Make one: ${url}/app/api`);
    }
    const client = await context.clientFor(url, key);
    const current = await client.request('getCurrentKey', { signal: context.signal });
    const { name, project, team, scopes } = keyIn(current, url);
    await store(context, url, key, project);
    const { output } = context;
    if (output.isJson) return output.answer({ text: current.text });
    output.note(`Signed in to ${url} as the key "${name}" of ${project.name} (${team.name}).`);
    output.note(`Scopes: ${scopes.join(', ')}`);
  },
});

/** The key as the server describes it. Throws `bad_response` where something else answers at the address. */
function keyIn(answer: SvcAnswer, url: string): CurrentKey {
  const key = answer.json<Partial<CurrentKey> | null>();
  if (key?.project?.id && key.team && key.scopes) return key as CurrentKey;
  const message = `Something that is not svc answers at ${url}. The key was sent there: replace it unless you trust that server.`;
  throw new SvcConnectionError('bad_response', message, { status: answer.status, body: answer.text });
}

async function addressFor(context: Context): Promise<string> {
  const { url } = context.profile;
  if (url.value !== null && url.source !== 'config') return url.value;
  if (!context.canAsk) {
    if (url.value !== null) return url.value;
    throw usageError('The address of the server is missing.', 'Say it: svc login --url https://links.example.com.');
  }
  return addressOf(await ask('Address of the server', { initial: url.value ?? '' }));
}

/** Asks before a key goes to a server that only a file of somebody else names. Throws where nobody can be asked. */
async function requireOwnServer({ profile, canAsk }: Context, url: string): Promise<void> {
  const named = `The address ${url} is only named by ${profile.projectFile?.file}.`;
  const explicit = `If it is a server of yours, name it yourself: svc login --url ${url}`;
  if (!canAsk) throw new CliError('usage', 'address_unconfirmed', `${named} No key is sent there.`, explicit);
  const { host } = new URL(url);
  const typed = await ask(`${named} To send your key there, type ${host}:`);
  if (typed !== host) throw new CliError('failed', 'not_confirmed', 'No key was sent.', explicit);
}

function isReadableByOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

async function askForKey(context: Context, url: string, isBrowserWanted: boolean): Promise<string> {
  if (!context.canAsk) {
    throw new CliError(
      'signedOut',
      'no_terminal',
      'Nobody can be asked for the key here.',
      'Pipe it: svc login --key-stdin < file, or set SVC_KEY.',
    );
  }
  const page = `${url}/app/api?new=cli`;
  context.output.note(`Keys are made at ${page}`);
  if (isBrowserWanted) openInBrowser(page);
  return ask('Secret key', { isSecret: true });
}

/** Under the profile that was named, else under that of this address, else as `default` or the host. */
async function store(context: Context, url: string, key: string, project: CurrentKey['project']): Promise<void> {
  const config = await readConfig(context.env);
  const known = Object.keys(config.profiles).find((name) => config.profiles[name]?.url === url);
  const free = Object.keys(config.profiles).length === 0 ? 'default' : new URL(url).host;
  const name = context.flags.profile ?? context.env.SVC_PROFILE ?? known ?? free;
  config.profiles[name] = { ...config.profiles[name], url, key, project: { id: project.id, name: project.name } };
  config.current = name;
  await writeConfig(context.env, config);
}
