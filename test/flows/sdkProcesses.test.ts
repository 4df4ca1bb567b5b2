// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { createLink, type MadeLink } from '../support/createLink.ts';
import { newAddress, PIXEL, type Sdk, sdkWith, visit } from '../support/sdk.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { SDK_SETTINGS } from '../support/world.ts';

const GO = 'go.example.com';
const INSTALLS = 100;
const ANDROID_APP = { platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' };

describe('two processes that apps ask', () => {
  let store: Store;
  const children: Child[] = [];
  let apps: Sdk[];
  let link: MadeLink;

  before(async function () {
    this.timeout(180_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    for (const folder of ['one', 'two']) {
      const env = { ...store.env, ...SDK_SETTINGS, DATA_DIR: `${store.dataDir}/${folder}`, LINK_DOMAIN: GO };
      children.push(await startChild(await freePort(), { ...env, CLICK_DRAIN_MILLISECONDS: '50' }));
    }
    const key = children[0]?.publishableKey;
    apps = children.map(({ origin }) => sdkWith(apiOf(origin, key ?? null, 'sdk')));
  });
  after(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
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

  it('use a click once, by its token or by comparing', async function () {
    this.timeout(180_000);
    const [one] = children as [Child];
    const api = apiOf(one.origin, one.secretKey);
    const projectId = (await api('GET', '/projects')).body.data[0].id;
    await api('PATCH', `/projects/${projectId}`, { apps: [ANDROID_APP] });
    const routing = { open_app: true, android: { fallback: 'store' } };
    link = await createLink(api, { destination: 'https://www.example.com/', routing });
    for (let round = 1; round <= 5; round += 1) {
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
    this.timeout(180_000);
    for (let round = 1; round <= 5; round += 1) {
      const url = `https://${GO}/${link.slug}`;
      const answers = await openAll({ install_id: randomUUID(), url }, newAddress);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).to.equal(1);
      expect(answers[0].link.id).to.equal(link.id);
    }
  });
});
