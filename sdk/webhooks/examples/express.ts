import { constructEvent, WebhookVerificationError } from 'SVC-Webhooks';
import express, { type ErrorRequestHandler } from 'express';
import { storeOnce } from './storeOnce.ts';

// One secret, or the new and the old one with a comma between while they are rotated.
const secrets = (process.env.SVC_WEBHOOK_SECRETS ?? '').split(',');

export const app = express();

// The raw body for this path alone, and ahead of any app.use(express.json()), which would take it away.
app.use('/webhooks/svc', express.raw({ type: 'application/json', limit: '1mb' }));

app.post('/webhooks/svc', async (request, response) => {
  const event = constructEvent(request.body, request.get('SVC-Signature'), secrets);
  await storeOnce(event); // If this fails the answer is 500, and the server tries again.
  response.sendStatus(204);
});

const refuseForgeries: ErrorRequestHandler = (error, _request, response, next) => {
  if (error instanceof WebhookVerificationError) response.status(400).type('text').send(error.message);
  else next(error);
};
app.use(refuseForgeries);
