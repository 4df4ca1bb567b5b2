// plays, stores: any
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { config } from '../../src/kernel/config.ts';
import { freePort } from '../support/child.ts';
import { LATE_MS } from '../support/lateness.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

interface Case {
  about: string;
  answer: Parameters<typeof createServer>[1] | null;
  expected: { status_code: number | null; error: string };
}

/** Slow and hostile receivers, and what an attempt to each ends as. */
const CASES: Case[] = [
  {
    about: 'drips its body',
    answer: (_, response) => {
      response.writeHead(200);
      const dripping = setInterval(() => response.write('.'), 100);
      response.on('close', () => clearInterval(dripping));
    },
    expected: { status_code: 200, error: 'timeout' },
  },
  { about: 'never answers', answer: () => {}, expected: { status_code: null, error: 'timeout' } },
  {
    about: 'answers 308',
    answer: (_, response) => response.writeHead(308, { Location: 'http://127.0.0.1:1/elsewhere' }).end(),
    expected: { status_code: 308, error: 'status' },
  },
  { about: 'refuses the connection', answer: null, expected: { status_code: null, error: 'connect' } },
];

describe('receivers that do not play along', () => {
  let world: World;

  before(async function () {
    this.timeout(600_000);
    world = await startWorld({ WEBHOOK_TIMEOUT_SECONDS: '2' });
  });
  after(() => world.stop());

  for (const { about, answer, expected } of CASES) {
    it(`one that ${about} ends as ${expected.error}, within the deadline, and is tried again`, async () => {
      const server = answer && createServer(answer as never);
      await new Promise<void>((resolve) => (server ? server.listen(0, '127.0.0.1', resolve) : resolve()));
      const port = server ? (server.address() as AddressInfo).port : await freePort();
      try {
        const { body: webhook } = await world.api('POST', '/webhooks', { url: `http://127.0.0.1:${port}/` });
        const { body: planned, status } = await world.api('POST', `/webhooks/${webhook.id}/test`, {
          type: 'link.created',
        });
        expect(status).to.equal(202);
        const delivery = await until(async () => {
          const { body } = await world.api('GET', `/deliveries/${planned.id}`);
          return body.attempt_count > 0 ? body : null;
        }, 'the first attempt');
        expect(delivery.attempts[0]).to.include(expected);
        expect(delivery.attempts[0].duration_ms).to.be.at.most(config.webhookTimeoutSeconds * 1000 + LATE_MS);
        expect(delivery).to.include({ status: 'pending', attempt_count: 1 });
        const gapMs = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempts[0].at);
        expect(gapMs).to.be.within(13_500, 16_500 + delivery.attempts[0].duration_ms + LATE_MS);
        await world.api('DELETE', `/webhooks/${webhook.id}`);
      } finally {
        server?.closeAllConnections();
        server?.close();
      }
    });
  }

  it('the deadline is ten seconds unless a setting says otherwise', async () => {
    const { SETTINGS } = await import('../../src/kernel/settings/table.ts');
    expect(SETTINGS.webhookTimeoutSeconds.fallback).to.equal(10);
    expect(SETTINGS.webhookRetrySeconds.fallback).to.deep.equal([
      15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000,
    ]);
  });
});
