// stores: any
import { createServer } from 'node:http';
import { expect } from 'chai';
import { describeExample, requestOf, serve, signedRequest } from '../../support/receiverExamples.ts';

// Those of Express and Fastify are tested in test/interop/, which has these frameworks.

describeExample('koa', async () => {
  const { app } = await import('../../../sdk/webhooks/examples/koa.ts');
  return serve(createServer(app.callback()));
});

describeExample('node', async () => {
  const { server } = await import('../../../sdk/webhooks/examples/node.ts');
  return serve(server);
});

describeExample('next', async () => {
  const { POST } = await import('../../../sdk/webhooks/examples/next.ts');
  return {
    send(body, headers) {
      const { url, init } = requestOf(body, headers);
      return POST(new Request(url, init));
    },
    stop() {},
  };
});

describe('an example that was given no secret', () => {
  it('refuses everything, also what is signed with an empty key', async () => {
    delete process.env.SVC_WEBHOOK_SECRETS;
    // Loaded once more, without secrets; as it is written or compiled, like this file.
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    const { POST } = await import(`../../../sdk/webhooks/examples/next${extension}?unset`);
    const { url, init } = signedRequest();
    const response: Response = await POST(new Request(url, init));
    expect(response.status).to.equal(400);
    expect(await response.text()).to.contain('secret is missing or empty');
  });
});
