// stores: none
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { log } from '../../../src/kernel/log.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { runChecks } from '../../../src/scan/scan.ts';
import { freePort } from '../../support/child.ts';
import { LATE_MS } from '../../support/lateness.ts';
import { Loopback } from '../../support/loopback.ts';

type Answer = (uri: string, response: ServerResponse) => void;

const json =
  (body: unknown): Answer =>
  (_, response) =>
    response.end(JSON.stringify(body));

const threat = (expireTime = '2099-01-01T00:00:00.123456789Z') =>
  json({ threat: { threatTypes: ['SOCIAL_ENGINEERING', 'MALWARE'], expireTime } });

describe('Web Risk', () => {
  let loopback: Loopback;
  let asked: { uri: string; request: IncomingMessage; url: URL }[];
  let answer: Answer;
  let port: number;

  beforeEach(async () => {
    log.level = 'silent';
    asked = [];
    loopback = new Loopback();
    port = await loopback.http((request, response) => {
      const url = new URL(request.url as string, 'http://stand-in');
      const uri = url.searchParams.get('uri') as string;
      asked.push({ uri, request, url });
      answer(uri, response);
    });
    start(port);
  });
  afterEach(async () => {
    clock.reset();
    await loopback.close();
  });
  after(() => {
    loadConfig({ LOG_LEVEL: 'silent' });
  });

  const start = (at: number, more: Record<string, string> = {}) =>
    loadConfig({
      LOG_LEVEL: 'silent',
      WEB_RISK_API_KEY: 'a key',
      WEB_RISK_URL: `http://127.0.0.1:${at}`,
      // Two tests wait for it; a busy machine is far from it in all others.
      WEB_RISK_TIMEOUT_MILLISECONDS: '3000',
      ALLOW_PRIVATE_TARGETS: 'true',
      ...more,
    });
  const scan = async (...urls: string[]) => {
    const results = await runChecks([urls.map((url, index) => ({ path: `url.${index}`, url }))]);
    return results[0] as (typeof results)[number];
  };

  it('looks each URL up by the documented method', async () => {
    answer = json({});
    const result = await scan('https://shop.example/a b?x=1#part');
    expect(result).to.deep.equal({ finding: null, refusal: null, isComplete: true });
    expect(asked.map(({ uri }) => uri)).to.deep.equal(['https://shop.example/a%20b?x=1']);
    expect(asked[0]?.url.pathname).to.equal('/v1/uris:search');
    const types = asked[0]?.url.searchParams.getAll('threatTypes');
    expect(types).to.deep.equal(['MALWARE', 'SOCIAL_ENGINEERING', 'UNWANTED_SOFTWARE']);
    expect(asked[0]?.request.headers['x-goog-api-key']).to.equal('a key');
    expect(asked[0]?.request.url).to.not.include('key');
  });

  it('refuses harmful URLs, and names the field', async () => {
    answer = (uri, response) => (uri.includes('bad') ? threat() : json({}))(uri, response);
    const result = await scan('https://good.example/', 'https://bad.example/');
    expect(result.refusal?.code).to.equal('destination_refused');
    expect(result.refusal?.message).to.include('url.1').and.include('web_risk').and.include('SOCIAL_ENGINEERING');
    expect(result.isComplete).to.equal(true);
  });

  it('is not asked about apps, private hosts and URLs already refused', async () => {
    answer = json({});
    await scan('myapp://x', 'http://127.0.0.1:9/', 'http://10.0.0.1/', 'http://intranet/');
    await scan('https://good.example/', 'javascript:1');
    expect(asked).to.deep.equal([]);
  });

  it('is asked once about a URL that several links share, and not again for a while', async () => {
    let nowMs = Date.parse('2026-11-21T12:00:00Z');
    clock.use({ now: () => nowMs });
    const bad = threat('2026-11-21T13:00:00Z');
    answer = (uri, response) => (uri.includes('bad') ? bad : json({}))(uri, response);
    const sets = ['good', 'good', 'bad', 'bad'].map((name) => [
      { path: 'destination', url: `https://${name}.example/` },
    ]);
    const shown = async () => (await runChecks(sets)).map(({ refusal }) => refusal !== null);
    expect(await shown()).to.deep.equal([false, false, true, true]);
    expect(await shown()).to.deep.equal([false, false, true, true]);
    expect(asked).to.have.length(2);
    nowMs += 301_000;
    await shown();
    expect(asked.map(({ uri }) => uri).slice(2)).to.deep.equal(['https://good.example/']);
    nowMs += 3_600_000;
    await shown();
    expect(asked).to.have.length(5);
  });

  const failures: Record<string, Answer> = {
    'answers 500': (_, response) => response.writeHead(500).end('{}'),
    'answers 403': (_, response) => response.writeHead(403).end('{"error": {"code": 403}}'),
    'talks nonsense': (_, response) => response.end('<html>'),
    'answers with a list': json([]),
    'answers with an error': json({ error: { code: 7 } }),
    'answers with an unknown threat': json({ threat: { threatTypes: 'MALWARE' } }),
    'answers with a threat of no type': json({ threat: {} }),
    'answers without an end': (_, response) => response.end(`"${'x'.repeat(100_000)}"`),
    'hangs up': (_, response) => response.destroy(),
    'never answers': () => {},
    'never ends': (_, response) => response.write('{'),
  };
  for (const [what, failing] of Object.entries(failures)) {
    it(`leaves the scan incomplete when it ${what}`, async () => {
      answer = failing;
      const before = performance.now();
      expect(await scan('https://shop.example/')).to.deep.equal({ finding: null, refusal: null, isComplete: false });
      expect(performance.now() - before).to.be.below(LATE_MS);
      answer = json({});
      expect((await scan('https://shop.example/')).isComplete).to.equal(true);
    });
  }

  it('leaves the scan incomplete when it is unreachable, and counts the failure', async () => {
    start(await freePort());
    expect((await scan('https://shop.example/')).isComplete).to.equal(false);
    const text = await registry.getSingleMetricAsString('svc_web_risk_lookups_total');
    expect(text).to.match(/svc_web_risk_lookups_total\{result="failed"\} [1-9]/);
  });

  it('refuses a bad URL even if another could not be looked up', async () => {
    answer = (uri, response) => (uri.includes('bad') ? threat()(uri, response) : response.destroy());
    expect((await scan('https://slow.example/', 'https://bad.example/')).refusal).to.not.equal(null);
  });

  it('is not asked for a while after failures in a row', async () => {
    answer = failures['answers 500'] as Answer;
    for (let index = 0; index < 8; index += 1) await scan(`https://shop${index}.example/`);
    expect(asked).to.have.length(5);
  });

  it('takes no longer than its budget, with a bounded number of concurrent requests', async () => {
    let inFlight = 0;
    let most = 0;
    answer = (_, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        response.end('{}');
      }, 100);
    };
    start(port, { WEB_RISK_BUDGET_MILLISECONDS: '500' });
    const sets = Array.from({ length: 500 }, (_, index) => [
      { path: 'destination', url: `https://s${index}.example/` },
    ]);
    const before = performance.now();
    const results = await runChecks(sets);
    expect(performance.now() - before).to.be.below(LATE_MS);
    expect(most).to.be.within(2, 20);
    const complete = results.filter(({ isComplete }) => isComplete).length;
    expect(complete).to.be.within(1, 200);
  });
});
