import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError, usageError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';
import { clockTime } from '../listen/follow.ts';
import { localId } from '../listen/localId.ts';
import { LocalSender, localTarget } from '../listen/sendLocally.ts';
import { signingOf } from '../listen/signingSecrets.ts';

/** What an example in the document looks like. */
interface Envelope {
  id: string;
  type: string;
  created_at: string;
  test: boolean;
  data: Record<string, unknown>;
}

const DOCUMENT = { method: 'GET', path: '/api/v1/openapi.json' };
/** Of an answer that is not 2xx, so that a stack trace does not fill the screen. */
const SHOWN_CHARACTERS = 500;

export const command = defineCommand({
  args: [['<type>', 'the type of the event, such as link.created']],
  options: [
    ['--forward-to <url>', 'the address to send it to: http://localhost:4000/hook', { isRequired: true }],
    ['--set <path=value>', 'a value of the event: data.link.slug=spring; repeat it for more', { parse: repeated }],
    ['--webhook <id>', 'sign with the secret of this webhook; needs webhooks:write'],
    ['--skip-verify', 'accept a certificate that nobody signed'],
  ],
  details:
    'Sends the sample of the event type to a program on this machine, signed as svc listen does and with "test": true. The server only ' +
    'says what the sample is; nothing happens there. svc webhooks test sends one from the server.',
  examples: [
    'webhooks trigger link.created --forward-to http://localhost:4000/hook',
    'webhooks trigger link.clicked --forward-to localhost:4000/hook --set data.link.slug=spring --set data.click.country=DE',
  ],
  async run(context, { args: [type = ''], flags }) {
    const { output } = context;
    const event = await sampleOf(context, type);
    for (const assignment of (flags.set ?? []) as string[]) assign(event, assignment);
    const { secret } = await signingOf(context, flags.webhook);
    const url = localTarget(flags.forwardTo);
    const sender = new LocalSender({ url, secret, skipsVerification: flags.skipVerify === true });
    const body = JSON.stringify(event);
    const delivery = { id: localId('local'), eventId: event.id, eventType: type, attempt: 1, body };
    const { status, error, milliseconds, answer } = await sender.send(delivery);
    sender.close();
    if (output.isJson) await output.answer({ text: body });
    const line = `${clockTime()}  ${type}  ${event.id}  ${status ?? error}  ${milliseconds} ms`;
    if (output.isJson) output.note(line);
    else output.line(line);
    if (status !== null && status >= 200 && status < 300) return EXIT.done;
    if (answer.trim() !== '') output.problem(answer.trim().slice(0, SHOWN_CHARACTERS));
    return EXIT.failed;
  },
});

async function sampleOf(context: Context, type: string): Promise<Envelope> {
  const { webhooks = {} } = await context.json<{ webhooks?: Record<string, unknown> }>(DOCUMENT);
  // biome-ignore lint/suspicious/noExplicitAny: the document of whatever version the server has
  const sample = (webhooks[type] as any)?.post?.requestBody?.content?.['application/json']?.example;
  // A batch is no event: only the server puts several into one request.
  if (!sample?.data) {
    const known = Object.keys(webhooks)
      .filter((name) => name !== 'batch')
      .join(', ');
    throw new CliError('usage', 'unknown_type', `${context.url} has no event type "${type}".`, `It has: ${known}.`);
  }
  return { ...sample, id: localId('evt'), created_at: new Date().toISOString(), test: true };
}

/** Puts a value where the sample has one, or where an object of it can have one. */
function assign(event: Envelope, assignment: string): void {
  const equals = assignment.indexOf('=');
  if (equals < 1) throw usageError(`--set takes a path and a value: data.link.slug=spring, and not "${assignment}".`);
  const path = assignment.slice(0, equals).split('.');
  const last = path.pop() as string;
  let place: unknown = event;
  for (const [at, name] of path.entries()) {
    place = Object.hasOwn(place as object, name) ? (place as Record<string, unknown>)[name] : undefined;
    if (place === null || typeof place !== 'object')
      throw usageError(`--set ${assignment}: the sample has no object ${path.slice(0, at + 1).join('.')}.`);
  }
  if (path.length === 0 && !Object.hasOwn(event, last))
    throw usageError(`--set ${assignment}: an event has no ${last}; what it is about is below data.`);
  Object.defineProperty(place, last, {
    value: parsed(assignment.slice(equals + 1)),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** JSON where it is some, else the text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function repeated(text: string, earlier: string[] = []): string[] {
  return [...earlier, text];
}
