import { constructEvent, WebhookVerificationError } from 'SVC-Webhooks';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { storeOnce } from './storeOnce.ts';

// One secret, or the new and the old one with a comma between while they are rotated.
const secrets = (process.env.SVC_WEBHOOK_SECRETS ?? '').split(',');

export const server = createServer(async (request, response) => {
  try {
    await receive(request, response);
  } catch (error) {
    // 500 has the server try again: the event could not be stored.
    const isForged = error instanceof WebhookVerificationError;
    response.writeHead(isForged ? 400 : 500).end(isForged ? error.message : 'Failed.');
  }
});

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST' || request.url !== '/webhooks/svc') {
    response.writeHead(404).end();
    return;
  }
  const rawBody = await readBody(request, 1024 * 1024);
  if (!rawBody) {
    response.writeHead(413).end('The body is too large.');
    return;
  }
  await storeOnce(constructEvent(rawBody, request.headers['svc-signature'], secrets));
  response.writeHead(204).end();
}

/** Undefined beyond `maxBytes`; the rest is read and dropped, as the sender would not see an answer before. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}
