// stores: none
import { createServer } from 'node:http';
import { describeExample, receiverAt, serve } from '../../support/receiverExamples.ts';

/** The examples whose frameworks the product itself does without. */
describeExample('express', async () => {
  const { app } = await import('../../../sdk/webhooks/examples/express.ts');
  app.set('env', 'test'); // Prints no stack for the 413.
  return serve(createServer(app));
});

describeExample('fastify', async () => {
  const { app } = await import('../../../sdk/webhooks/examples/fastify.ts');
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return receiverAt(origin, () => app.close());
});
