// app/webhooks/svc/route.ts, in the Node runtime (the default), as signatures need node:crypto.
import { constructEvent, WebhookVerificationError } from 'SVC-Webhooks';
import { storeOnce } from './storeOnce.ts';

// One secret, or the new and the old one with a comma between while they are rotated.
const secrets = (process.env.SVC_WEBHOOK_SECRETS ?? '').split(',');

export async function POST(request: Request): Promise<Response> {
  const rawBody = await readBody(request, 1024 * 1024);
  if (!rawBody) return new Response('The body is too large.', { status: 413 });
  try {
    const event = constructEvent(rawBody, request.headers.get('SVC-Signature'), secrets);
    await storeOnce(event); // If this fails the answer is 500, and the server tries again.
    return new Response(null, { status: 204 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response(error.message, { status: 400 });
  }
}

/** Like request.arrayBuffer(), which knows no bound; undefined beyond it. */
async function readBody(request: Request, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
