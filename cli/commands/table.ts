import type { Command } from '../defineCommand.ts';

/**
 * The commands that are written by hand. All others are computed from the operations of the server: `links archive` needs no row.
 *
 * To add one: write `cli/commands/<name>.ts` that exports `command`, made by `defineCommand`, and add a row here. `words` are what is
 * typed after `svc`. A row with the words of an operation stands in its place, and may take the flags of the operation
 * (`takesFlagsOf`). `load` is called when the command is: what it imports costs other commands nothing.
 *
 *     { words: 'webhooks trigger', summary: 'Send a sample event to a local address', load: () => import('./trigger.ts') },
 *
 *     export const command = defineCommand({
 *       args: [['<type>', 'the type of the event']],
 *       options: [['--forward-to <url>', 'where to send it', { isRequired: true }]],
 *       async run(context, { args: [type], flags }) { … flags.forwardTo … },
 *     });
 *
 * Global flags are in `context.flags`. Data goes to stdout (`context.output.answer`, `table`, `json`, `line`), everything else to
 * stderr (`note`, `progress`). The server is asked by `context.request` (an answer as it came), `context.json`, or
 * `await context.client()`. Errors are thrown (`CliError`, `usageError`, those of the client) and become a message and an exit code;
 * `run` may return another exit code (`EXIT.partly`). Loops look at `context.signal`, which Ctrl-C aborts. `context.confirm` asks
 * before what cannot be taken back. `context.keep` stores something in the profile.
 */
export const COMMANDS: CommandRow[] = [
  { words: 'login', summary: 'Sign in with a key of a project', load: () => import('./login.ts') },
  { words: 'logout', summary: 'Forget the key of the profile', load: () => import('./logout.ts') },
  { words: 'whoami', summary: 'Show server, project, key and scopes', load: () => import('./whoami.ts') },
  { words: 'doctor', summary: 'Look for what keeps svc from working', load: () => import('./doctor.ts') },
  { words: 'open', summary: 'Open the dashboard, or a link in it', load: () => import('./open.ts') },
  { words: 'docs', summary: 'Search the documentation of the server', load: () => import('./docs.ts') },
  { words: 'version', summary: 'Print the versions of svc and Node', load: () => import('./version.ts') },
  { words: 'completion', summary: 'Print the completion of a shell', load: () => import('./completion.ts') },
  { words: 'profiles list', summary: 'List the profiles', load: named(() => import('./profiles.ts'), 'list') },
  { words: 'profiles use', summary: 'Use a profile from now on', load: named(() => import('./profiles.ts'), 'use') },
  { words: 'profiles remove', summary: 'Forget a profile', load: named(() => import('./profiles.ts'), 'remove') },
  {
    words: 'config get',
    summary: 'Show settings and where they were said',
    load: named(() => import('./config.ts'), 'get'),
  },
  { words: 'config set', summary: 'Change a setting of the profile', load: named(() => import('./config.ts'), 'set') },
  { words: 'links find', summary: 'Find links by words', load: () => import('./findLinks.ts') },
  { words: 'links create', summary: 'Create a link and print its short URL', load: () => import('./createLink.ts') },
  { words: 'links update', summary: 'Change a link, or all that match', load: () => import('./updateLinks.ts') },
  { words: 'links qr', summary: 'Show or save the QR code of a link', load: () => import('./linkQr.ts') },
  { words: 'links stats', summary: 'Show the clicks of a link', load: () => import('./linkStats.ts') },
  { words: 'links import', summary: 'Import links from a CSV file', load: () => import('./importLinks.ts') },
  { words: 'stats', summary: 'Count clicks, installs and events', load: () => import('./stats.ts') },
  {
    words: 'domains add',
    summary: 'Add a domain and print its records',
    load: named(() => import('./domains.ts'), 'add'),
  },
  {
    words: 'domains verify',
    summary: 'Look for the records of a domain',
    load: named(() => import('./domains.ts'), 'verify'),
  },
  { words: 'keys create', summary: 'Create a key', load: () => import('./createKey.ts') },
  { words: 'health', summary: 'Show the health checks of the project', load: () => import('./health.ts') },
  { words: 'listen', summary: 'Receive events on this machine, as a webhook would', load: () => import('./listen.ts') },
  { words: 'webhooks trigger', summary: 'Send a sample event to a local address', load: () => import('./trigger.ts') },
  { words: 'webhooks verify', summary: 'Check the signature of a webhook', load: () => import('./verify.ts') },
  { words: 'events tail', summary: 'Print events as they happen', load: () => import('./tailEvents.ts') },
  { words: 'events stream', summary: 'Print events as they happen', load: () => import('./tailEvents.ts') },
  { words: 'deliveries tail', summary: 'Print deliveries as they are made', load: () => import('./tailDeliveries.ts') },
  { words: 'stats live', summary: 'Print clicks as they come', load: () => import('./statsLive.ts') },
  { words: 'api', summary: 'Call any operation or path of the API', load: () => import('./api.ts') },
  {
    words: 'plan',
    summary: 'Say what would change so that the project is as files say',
    load: () => import('./codePlan.ts'),
  },
  { words: 'apply', summary: 'Make the project as files say', load: () => import('./codeApply.ts') },
  { words: 'code export', summary: 'Write what the project has as a file', load: () => import('./codeExport.ts') },
  { words: 'code validate', summary: 'Check files without a server', load: () => import('./codeValidate.ts') },
  { words: 'code adopt', summary: 'Take over what nobody manages', load: () => import('./codeAdopt.ts') },
  { words: 'code schema', summary: 'Print the JSON Schema of the files', load: () => import('./codeSchema.ts') },
  { words: 'mcp', summary: 'Bridge an assistant to the server', load: named(() => import('./mcp.ts'), 'bridge') },
  { words: 'mcp config', summary: 'Connect a program for assistants', load: named(() => import('./mcp.ts'), 'config') },
];

/** A command that is written by hand. */
export interface CommandRow {
  /** `login`, or a resource and a verb: `links qr`. */
  words: string;
  summary: string;
  load(): Promise<{ command: Command }>;
}

/** A command of a file that has several. */
function named<Name extends string>(load: () => Promise<Record<Name, Command>>, name: Name): CommandRow['load'] {
  return async () => ({ command: (await load())[name] });
}
