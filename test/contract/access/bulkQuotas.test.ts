// stores: any
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { IdempotencyRecord } from '../../../src/models/IdempotencyRecord.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, ownerSession } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

describe('what bulk calls may fill the store with', () => {
  let world: World;

  beforeEach(async () => {
    world = await joinWorld({ RATE_LIMIT_ROWS_PER_MINUTE: '2500', IDEMPOTENCY_MEGABYTES: '1' });
  });
  afterEach(() => world.stop());

  const create = async (links: object[], idempotencyKey?: string) => {
    const response = await fetch(`${world.origin}/api/v1/links/bulk`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${world.secretKey}`,
        'Content-Type': 'application/json',
        ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}),
      },
      body: JSON.stringify({ links }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  const links = (count: number, data: () => object) =>
    Array.from({ length: count }, (_, at) => ({ destination: `https://www.example.com/${at}`, data: data() }));
  const noise = () => ({ noise: randomBytes(6000).toString('base64') });

  it('keeps a large answer small, and repeats it as it was', async () => {
    const text = 'words that are said again and again '.repeat(200);
    const sent = links(200, () => ({ text }));
    const first = await create(sent, 'large');
    expect(first.status).to.equal(200);
    expect(first.text.length).to.be.above(1_400_000);
    const again = await create(sent, 'large');
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect([again.status, again.text]).to.deep.equal([first.status, first.text]);
    expect(again.headers.get('content-type')).to.equal(first.headers.get('content-type'));
    const stored = await IdempotencyRecord.findOne({ where: { idempotencyKey: 'large' } });
    expect(stored?.body?.length).to.be.below(first.text.length / 10);
  });

  it('stores so much for the repeats of one key, and acts no more before that is deleted', async () => {
    const sent = links(200, noise);
    const first = await create(sent, 'noise');
    expect(first.status).to.equal(200);
    const refused = await create(links(1, noise), 'another');
    expect(refused.status).to.equal(429);
    expect(refused.body.error.code).to.equal('rate_limited');
    expect(refused.body.error.message).to.include('without an Idempotency-Key');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(86_000, 86_400);
    expect(await IdempotencyRecord.count({ where: { idempotencyKey: 'another' } })).to.equal(0);
    expect((await create(sent, 'noise')).text).to.equal(first.text);
    expect((await create(links(1, noise))).status).to.equal(200);
  });

  it('counts the links of bulk calls in a window, over REST and GraphQL', async () => {
    const small = () => ({});
    for (let call = 0; call < 2; call += 1) expect((await create(links(1000, small))).status).to.equal(200);
    const refused = await create(links(501, small));
    expect(refused.status).to.equal(429);
    expect(refused.body.error.code).to.equal('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    const { body } = await world.api('GET', '/links/count');
    expect(body.count).to.equal(2000);
    const { projectId } = await firstTenant(world);
    const cookie = await ownerSession(world);
    const ask = async (count: number) => {
      const query = 'mutation ($input: BulkDeleteLinksInput!) { bulkDeleteLinks(input: $input) { batchId } }';
      const ids = Array.from({ length: count }, (_, at) => `lnk_${at}`);
      const { errors } = await graphql(world.origin, query, { input: { projectId, ids } }, cookie);
      return errors?.[0]?.extensions.code;
    };
    expect([await ask(1000), await ask(1000), await ask(501)]).to.deep.equal([undefined, undefined, 'rate_limited']);
  });
});
