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
  { words: 'listen', summary: 'Receive events on this machine, as a webhook would', load: () => import('./listen.ts') },
  { words: 'webhooks trigger', summary: 'Send a sample event to a local address', load: () => import('./trigger.ts') },
  { words: 'webhooks verify', summary: 'Check the signature of a webhook', load: () => import('./verify.ts') },
  { words: 'events tail', summary: 'Print events as they happen', load: () => import('./tailEvents.ts') },
  { words: 'events stream', summary: 'Print events as they happen', load: () => import('./tailEvents.ts') },
  { words: 'deliveries tail', summary: 'Print deliveries as they are made', load: () => import('./tailDeliveries.ts') },
  { words: 'stats live', summary: 'Print clicks as they come', load: () => import('./statsLive.ts') },
  { words: 'api', summary: 'Call any operation or path of the API', load: () => import('./api.ts') },
];

/** A command that is written by hand. */
export interface CommandRow {
  /** `login`, or a resource and a verb: `links qr`. */
  words: string;
  summary: string;
  load(): Promise<{ command: Command }>;
}
