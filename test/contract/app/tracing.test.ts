// stores: any
import { expect } from 'chai';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { STORE } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { startWorld } from '../../support/world.ts';

/** A span as OTLP writes it in JSON. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
/** What nobody but the owner may read, in each place where people can write. */
const SECRET = 'confidential-plans';

describe('traces', function () {
  this.timeout(120_000);
  let collector: Receiver;
  let receiver: Receiver;
  let spans: Span[];
  let sent: string;

  before(async () => {
    collector = await startReceiver();
    let attempts = 0;
    receiver = await startReceiver((_, response) => {
      attempts += 1;
      response.writeHead(attempts === 1 ? 500 : 200).end();
    });
    const world = await startWorld({
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL('/', collector.url).href,
      WEBHOOK_RETRY_SECONDS: '1',
    });
    try {
      const hook = await world.api('POST', '/webhooks', { url: receiver.url, event_types: ['link.created'] });
      const link = { destination: `https://www.example.com/${SECRET}`, title: SECRET, tags: [SECRET], slug: SECRET };
      const { status } = await world.api('POST', '/links', link, { headers: { traceparent: TRACEPARENT } });
      expect(status).to.equal(201);
      await world.api('GET', `/links?search=${SECRET}`);
      await world.api('GET', '/links/lnk_00000000000000000000000000');
      await fetch(`${world.origin}/${SECRET}`, { redirect: 'manual' });
      await receiver.waitFor(({ event }) => event.type === 'link.created', 'the webhook');
      // The attempt ends after its answer has arrived here.
      await until(async () => {
        const { body } = await world.api('GET', `/webhooks/${hook.body.id}/deliveries?status=succeeded`);
        return body.data?.length > 0;
      }, 'the end of the attempt');
    } finally {
      await world.stop();
    }
    sent = collector.received.map(({ body }) => body).join('\n');
    spans = collector.received.flatMap(({ event }) =>
      event.resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  });
  after(async () => {
    await collector?.close();
    await receiver?.close();
  });

  const named = (name: string) => spans.filter((span) => span.name === name);
  const attribute = (span: Span | undefined, key: string) =>
    Object.values(span?.attributes.find((one) => one.key === key)?.value ?? {})[0];

  it('has a span for each request, by its route, and its statements as parts', () => {
    const [request] = named('POST /api/v1/links');
    expect(Number(attribute(request, 'http.response.status_code'))).to.equal(201);
    expect(attribute(request, 'http.route')).to.equal('/api/v1/links');
    expect(attribute(request, 'svc.request_id')).to.match(/^req_/);
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(parts.map(({ name }) => name)).to.include.members(['INSERT links', 'INSERT events', 'INSERT audit_entries']);
    const system = STORE === 'sqlite' ? 'sqlite' : 'postgresql';
    expect(new Set(parts.map((part) => attribute(part, 'db.system.name')))).to.deep.equal(new Set([system]));
    expect(named('GET /api/v1/links/:id')).to.have.length(1);
  });

  it('has a span for each webhook attempt and for each job', () => {
    const [refused, attempt] = named('webhook attempt');
    expect(refused?.status.code, 'a 500 is an error').to.equal(2);
    expect(attempt?.status.code ?? 0).to.equal(0);
    expect(Number(attribute(attempt, 'http.response.status_code'))).to.equal(200);
    expect(attribute(attempt, 'svc.webhook_id')).to.match(/^whk_/);
    expect(spans.some(({ name }) => name.startsWith('job '))).to.equal(true);
  });

  it('does not go on with the trace of a stranger', () => {
    expect(sent).not.to.include(TRACE);
    expect(receiver.received.every(({ headers }) => headers.traceparent === undefined)).to.equal(true);
  });

  it('tells nothing that people wrote, and nothing of redirects', () => {
    expect(sent).not.to.include(SECRET);
    expect(sent).not.to.include('example.com');
    expect(sent).to.include('"service.name"');
  });
});

describe('traces without a collector that answers', function () {
  this.timeout(120_000);

  it('hold up neither requests nor the end of the process', async () => {
    const hanging = await startReceiver(() => {});
    try {
      const world = await startWorld({ OTEL_EXPORTER_OTLP_ENDPOINT: new URL('/', hanging.url).href });
      const { status } = await world.api('POST', '/links', { destination: 'https://www.example.com/' });
      await world.stop();
      expect(status).to.equal(201);
    } finally {
      await hanging.close();
    }
  });
});
