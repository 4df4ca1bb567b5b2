import { readFile } from 'node:fs/promises';
import { constructEvents, type WebhookEvent } from '../../sdk/webhooks/index.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError, usageError } from '../errors.ts';
import { signingOf } from '../listen/signingSecrets.ts';

const LINE_END = /\r?\n$/;

export const command = defineCommand({
  args: [['[file]', 'the body as it came; stdin if there is none, or for -']],
  options: [
    ['--signature <header>', 'the value of SVC-Signature', { isRequired: true }],
    ['--webhook <id>', 'the webhook that it came from; needs webhooks:write'],
    ['--tolerance <seconds>', 'how old or new it may be; any age by default'],
  ],
  details:
    'Checks a request that was received: whether the signature fits the bytes of the body, and what is wrong if not. The secret is that ' +
    'of --webhook, or SVC_WEBHOOK_SECRET of the environment, or the one of svc listen.',
  examples: [
    "webhooks verify body.json --signature 't=1767225600,v1=…' --webhook whk_…",
    "SVC_WEBHOOK_SECRET=whsec_… svc webhooks verify body.json --signature 't=…,v1=…'",
  ],
  async run(context, { args: [file = '-'], flags }) {
    const { output } = context;
    const body = await bytesOf(file);
    const secret = await secretOf(context, flags.webhook);
    const options = { toleranceSeconds: toleranceOf(flags.tolerance) };
    const check = (bytes: Uint8Array) => constructEvents(bytes, flags.signature, secret, options);
    const events = checked(body, check);
    const signedAt = Number(/t=(\d+)/.exec(flags.signature)?.[1]);
    const shown = { valid: true, signed_at: new Date(signedAt * 1000).toISOString(), ...shownOf(events) };
    if (output.isJson) await output.answer({ text: JSON.stringify(shown) });
    else output.record(shown);
  },
});

function shownOf(events: WebhookEvent[]): Record<string, unknown> {
  const [first] = events;
  return events.length === 1 ? { id: first?.id, type: first?.type } : { type: 'batch', events: events.length };
}

function checked(body: Buffer, check: (bytes: Uint8Array) => WebhookEvent[]): WebhookEvent[] {
  try {
    return check(body);
  } catch (error) {
    const { code = 'failed', message } = error as { code?: string; message: string };
    throw new CliError('failed', code, message, code === 'signature_mismatch' ? hintFor(body, check) : null);
  }
}

/** Editors and shells add a line end to what is saved. */
function hintFor(body: Buffer, check: (bytes: Uint8Array) => unknown): string | null {
  const text = body.toString('utf8');
  if (!LINE_END.test(text)) return null;
  try {
    check(Buffer.from(text.replace(LINE_END, '')));
    return 'It fits without the line end behind the body: that is none of what came. Save the bytes as they are.';
  } catch {
    return null;
  }
}

async function secretOf(context: Context, webhookId?: string): Promise<string> {
  const given = context.env.SVC_WEBHOOK_SECRET;
  if (webhookId === undefined && given) return given.trim();
  return (await signingOf(context, webhookId)).secret;
}

async function bytesOf(file: string): Promise<Buffer> {
  if (file !== '-') {
    return readFile(file).catch((error: Error) => {
      throw usageError(`${file} cannot be read: ${error.message}`);
    });
  }
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function toleranceOf(text?: string): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds >= 0)) throw usageError(`--tolerance takes seconds, and "${text}" is none.`);
  return seconds;
}
