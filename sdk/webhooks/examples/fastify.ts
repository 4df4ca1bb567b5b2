import { constructEvent, WebhookVerificationError } from 'SVC-Webhooks';
import fastify from 'fastify';
import { storeOnce } from './storeOnce.ts';

// One secret, or the new and the old one with a comma between while they are rotated.
const secrets = (process.env.SVC_WEBHOOK_SECRETS ?? '').split(',');

export const app = fastify();

// A scope of its own: the raw body here, parsed JSON on all other routes.
app.register(async (scope) => {
  const asBuffer = { parseAs: 'buffer', bodyLimit: 1024 * 1024 } as const;
  scope.addContentTypeParser('application/json', asBuffer, (_request, body, done) => done(null, body));

  scope.post<{ Body: Buffer }>('/webhooks/svc', async (request, reply) => {
    const event = constructEvent(request.body, request.headers['svc-signature'], secrets);
    await storeOnce(event); // If this fails the answer is 500, and the server tries again.
    return reply.code(204).send();
  });

  scope.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return reply.code(400).send(error.message);
  });
});
