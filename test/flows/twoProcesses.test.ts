// plays, stores: postgres
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { followOn } from '../support/followOn.ts';
import { type LiveStream, openStream } from '../support/liveStream.ts';
import { type Assistant, connect } from '../support/mcp/client.ts';
import { ownTimeUntil, usualRound } from '../support/ownTime.ts';
import { newAddress, PIXEL, type Sdk, sdkWith, visit } from '../support/sdk.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { SDK_SETTINGS } from '../support/world.ts';

const GO = 'go.example.com';
const INSTALLS = 60;
/** Of so many openings at once, half at each process. */
const ROUNDS = 3;
const ANDROID_APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };
const SETTINGS = {
  ...SDK_SETTINGS,
  LINK_DOMAIN: GO,
  CLICK_DRAIN_MILLISECONDS: '50',
  TRAFFIC_COLLECT_SECONDS: '1',
  MCP_WRITES_PER_HOUR: '10',
};

/** What they share is in PostgreSQL: the embedded store admits one process. */
describe('two processes on one store', () => {
  let store: Store;
  const children: Child[] = [];
  const assistants: Assistant[] = [];
  let stream: LiveStream | undefined;
  let apps: Sdk[];
  let link: MadeLink;

  before(async function () {
    this.timeout(600_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    for (const folder of ['one', 'two']) {
      const env = { ...store.env, ...SETTINGS, DATA_DIR: `${store.dataDir}/${folder}` };
      children.push(await startChild(await freePort(), env));
    }
    const key = children[0]?.publishableKey;
    apps = children.map(({ origin }) => sdkWith(apiOf(origin, key ?? null, 'sdk')));
  });
  after(async () => {
    stream?.close();
    await Promise.all(assistants.map((assistant) => assistant.close()));
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
  });

  it('see a change of a link within a second', async () => {
    const [one, two] = children as [Child, Child];
    const api = apiOf(one.origin, one.secretKey);
    const { body } = await api('POST', '/links', { destination: 'https://example.com/', slug: 'moved' });
    const follow = async () => (await followOn(two, GO, 'moved')).to;
    expect(await follow()).to.equal('https://example.com/');
    const usualMs = await usualRound(follow);
    await api('PATCH', `/links/${body.id}`, { destination: 'https://example.org/changed' });
    const isSeen = async () => (await follow()) === 'https://example.org/changed';
    expect(await ownTimeUntil(isSeen, usualMs, 'the change to be seen')).to.be.lessThan(1000);
  });

  it('stream to one what happens in the other one, clicks too, and end the stream when the key is revoked there', async function () {
    this.timeout(600_000);
    const [one, two] = children as [Child, Child];
    const api = apiOf(two.origin, one.secretKey);
    const { body: key } = await api('POST', '/keys', { name: 'Stream', scopes: ['events:read'] });
    const opened = await openStream(`${one.origin}/api/v1/events/stream`, { Authorization: `Bearer ${key.key}` });
    stream = opened;
    await until(() => opened.text() !== '', 'the stream to begin');
    const { body: link } = await api('POST', '/links', { destination: 'https://example.com/' });
    // Sooner than the poll that makes up for lost announcements.
    const told = () => opened.events.map(({ event, data }) => `${event} ${data.data.link?.id}`);
    await until(() => told().includes(`link.created ${link.id}`), 'the link', 10_000);
    expect((await followOn(two, GO, link.slug)).status).to.equal(302);
    await until(() => told().includes(`link.clicked ${link.id}`), 'the click');
    expect((await api('DELETE', `/keys/${key.id}`)).status).to.equal(204);
    await opened.ended;
    expect(opened.text()).to.match(/\nretry: 3000\n\n$/);
  });

  it('take confirmations of assistants from each other, use each once for a deletion, and share the budget', async function () {
    this.timeout(600_000);
    const [one, two] = children as [Child, Child];
    const key = one.secretKey;
    const api = apiOf(one.origin, key);
    const make = async () => (await api('POST', '/links', { destination: 'https://example.com/' })).body.id as string;
    const [first, second] = [await make(), await make()];
    for (const { origin } of children) assistants.push(await connect(origin, key));
    const [here, there] = assistants as [Assistant, Assistant];
    const { confirm } = await here.ask('delete_links', { ids: [first] });
    assert.equal((await there.ask('delete_links', { ids: [first], confirm })).counts.deleted, 1);
    const again = await here.call('delete_links', { ids: [first], confirm });
    assert.match(again.content[0].text, /was used already/);
    // The state of an elicitation: asked by one, answered to the other.
    const asked = await raw(one.origin, key, second, {});
    assert.equal(asked.resultType, 'input_required');
    const answered = {
      inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } },
      requestState: asked.requestState,
    };
    assert.equal((await raw(two.origin, key, second, answered)).structuredContent.counts.deleted, 1);
    assert.match((await raw(one.origin, key, second, answered)).content[0].text, /was used already/);
    const nine = Array.from({ length: 9 }, () => ({ destination: 'https://example.com/' }));
    const { content } = await there.call('create_links', { links: nine });
    assert.match(content[0].text, /^write_budget_used_up: This changes 9 records; 8 of 10 are left/);
  });

  /** Answers to first openings, every other one at the other process. */
  const openAll = async (body: Record<string, unknown>, from: (at: number) => string) => {
    const replies = await Promise.all(
      Array.from({ length: INSTALLS }, (_, at) => apps[at % 2]?.open({ ...PIXEL.device, ...body }, { from: from(at) })),
    );
    expect(new Set(replies.map((reply) => reply?.status))).to.deep.equal(new Set([200]));
    return replies.map((reply) => reply?.body);
  };
  /** How those of them were matched that were. */
  const methodsOf = (answers: Awaited<ReturnType<typeof openAll>>) =>
    answers.flatMap(({ match }) => (match.matched ? [match.method] : []));

  it('use a click for one opening of an app, by its token or by comparing', async function () {
    this.timeout(600_000);
    const [one] = children as [Child];
    const api = apiOf(one.origin, one.secretKey);
    const projectId = (await api('GET', '/projects')).body.data[0].id;
    await api('PATCH', `/projects/${projectId}`, { apps: [ANDROID_APP] });
    const routing = { open_app: true, android: { fallback: 'store' } };
    link = await createLink(api, { destination: 'https://www.example.com/', routing });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const from = newAddress();
      const location = await visit(one, link, { from, phone: PIXEL, host: GO });
      const [token] = /svc_click[^;&]*?(1\.[0-9a-z.]+\.[\w-]{22})/.exec(decodeURIComponent(location)) ?? [];
      const install_referrer = token?.replace('%3D', '=') ?? 'none';
      expect(methodsOf(await openAll({ install_referrer }, newAddress))).to.deep.equal(['referrer']);
      const home = newAddress();
      await visit(one, link, { from: home, phone: PIXEL, host: GO });
      const clicks = async () => (await api('GET', `/links/${link.id}`)).body.clicks;
      await until(async () => (await clicks()) === 2 * round, 'the click in the store');
      expect(methodsOf(await openAll({}, () => home))).to.deep.equal(['probabilistic']);
    }
  });

  it('give one answer to the first opening of an install that is told of many times at once', async function () {
    this.timeout(600_000);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const url = `https://${GO}/${link.slug}`;
      const answers = await openAll({ install_id: randomUUID(), url }, newAddress);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
      expect(answers[0].link.id).to.equal(link.id);
    }
  });
});

/** A deletion as a client of the present revision asks for it that can show forms. */
async function raw(origin: string, key: string, id: string, more: object) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'delete_links',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'delete_links', arguments: { ids: [id] }, _meta: meta, ...more },
    }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: results of every shape
  return ((await response.json()) as any).result;
}
