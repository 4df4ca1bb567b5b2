import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { usageError } from '../errors.ts';
import { Forwarder } from '../listen/Forwarder.ts';
import { clockTime, FOLLOW_OPTIONS, Following, LIST } from '../listen/follow.ts';
import { keyPresses } from '../listen/keyPresses.ts';
import { type LocalDelivery, LocalSender, localTarget, type Outcome } from '../listen/sendLocally.ts';
import { type Signing, signingOf } from '../listen/signingSecrets.ts';

const CLICKED = 'link.clicked';

export const command = defineCommand({
  options: [
    ['--forward-to <url>', 'the address to send events to: http://localhost:4000/hook'],
    ['--events <types>', 'only events of these types, separated by commas', LIST],
    ...FOLLOW_OPTIONS,
    ['--webhook <id>', 'sign with the secret of this webhook; needs webhooks:write'],
    ['--secret', 'print the signing secret and end'],
    ['--headers', 'print the headers of each request too'],
    ['--print-json', 'print each event as a line of JSON'],
    ['--skip-verify', 'accept a certificate that nobody signed'],
  ],
  details:
    'Receives the events of the project on this machine, as a webhook would: behind any network, without a tunnel. Each event is sent to ' +
    '--forward-to once, signed, with the headers of a delivery; a request that fails is not repeated (r sends the last event again). When ' +
    'the server is away, it connects again and goes on behind the last event.',
  examples: [
    'listen --forward-to http://localhost:4000/hook',
    'listen --forward-to localhost:4000/hook --events link.created,link.updated --since 10m',
    'listen --print-json --events link.created',
    'listen --secret',
  ],
  async run(context, { flags }) {
    const { output } = context;
    if (flags.secret) return output.line((await signingOf(context, flags.webhook)).secret);
    const isJson = flags.printJson === true || output.isJson;
    if (flags.headers && !flags.forwardTo) throw usageError('--headers needs --forward-to.');
    const signing = flags.forwardTo ? await signingOf(context, flags.webhook) : null;
    const forwarder = signing && forwarderOf(context, flags, signing.secret);
    const following = new Following(context, { ...flags, types: flags.events });
    const keys =
      forwarder && keyPresses(context, { r: () => void (forwarder.resend() || output.note('Nothing to resend.')) });
    try {
      for await (const event of following.events(() => tellReady(context, flags, signing))) {
        if (isJson) output.line(event.data);
        if (forwarder) await forwarder.forward(event);
        else if (!isJson) output.line(`${clockTime()}  ${event.type}  ${event.id}`);
      }
    } finally {
      keys?.close();
      await forwarder?.finish();
      if (following.hasBegun) tellCounts(context, following, forwarder);
    }
    return undefined;
  },
});

// biome-ignore lint/suspicious/noExplicitAny: as in Input
type Flags = Record<string, any>;

function forwarderOf(context: Context, flags: Flags, secret: string): Forwarder {
  const { output } = context;
  const url = localTarget(flags.forwardTo);
  const sender = new LocalSender({ url, secret, skipsVerification: flags.skipVerify === true });
  const show = (line: string) => (flags.printJson || output.isJson ? output.note(line) : output.line(line));
  return new Forwarder(sender, (delivery, outcome) => {
    show(lineOf(context, delivery, outcome));
    if (flags.headers) for (const [name, value] of Object.entries(outcome.headers)) show(`    ${name}: ${value}`);
  });
}

function lineOf({ output }: Context, { eventType, eventId, attempt }: LocalDelivery, outcome: Outcome): string {
  const { status, error, milliseconds } = outcome;
  const { green, red } = output.colors;
  const isDone = status !== null && status >= 200 && status < 300;
  const shown = (isDone ? green : red)(String(status ?? error));
  const again = attempt > 1 ? `  (sent ${attempt} times)` : '';
  return `${clockTime()}  ${eventType}  ${eventId}  ${shown}  ${milliseconds} ms${again}`;
}

function tellReady({ output, url }: Context, { events, forwardTo }: Flags, signing: Signing | null): void {
  if (signing) output.note(`Ready. Signing secret ${signing.secret} (${signing.about})`);
  output.note(`Listening to ${url}${forwardTo ? `, forwarding to ${forwardTo}` : ''}. Ctrl-C ends it.`);
  if (!events?.length || events.includes('*') || events.includes(CLICKED))
    output.note('Clicks are collected about once a minute; TRAFFIC_COLLECT_SECONDS of the server shortens that.');
}

function tellCounts({ output }: Context, { received, missed }: Following, forwarder: Forwarder | null): void {
  const { delivered, refused, failed } = forwarder?.counts ?? {};
  const sent = forwarder ? `, ${delivered} delivered, ${refused} refused, ${failed} not delivered` : '';
  output.note(`${received} event${received === 1 ? '' : 's'} received${sent}, ${missed} missed.`);
}
