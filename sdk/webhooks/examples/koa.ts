import { constructEvent, WebhookVerificationError } from 'SVC-Webhooks';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import { storeOnce } from './storeOnce.ts';

// One secret, or the new and the old one with a comma between while they are rotated.
const secrets = (process.env.SVC_WEBHOOK_SECRETS ?? '').split(',');

export const app = new Koa();

// Keeps the text that it parsed as ctx.request.rawBody.
app.use(bodyParser({ enableTypes: ['json'], jsonLimit: '1mb' }));

app.use(async (ctx, next) => {
  if (ctx.method !== 'POST' || ctx.path !== '/webhooks/svc') return next();
  try {
    const event = constructEvent(ctx.request.rawBody, ctx.get('SVC-Signature'), secrets);
    await storeOnce(event); // If this fails the answer is 500, and the server tries again.
    ctx.status = 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    ctx.status = 400;
    ctx.body = error.message;
  }
});
