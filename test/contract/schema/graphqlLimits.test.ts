// stores: any
import { expect } from 'chai';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

const INTROSPECTION = '{ __schema { types { name fields { name } } } }';

/** Small enough to be used up by a test, large enough for the sign-ins before it. */
const SESSION_QUOTA = 25;

describe('What a request to /graphql may cost', () => {
  let world: World;
  let mine: Tenant;
  let owner: string;

  before(async () => {
    world = await joinWorld({
      RATE_LIMIT_SESSION_PER_MINUTE: String(SESSION_QUOTA),
      RATE_LIMIT_ADDRESS_PER_MINUTE: '30',
    });
    mine = await firstTenant(world);
  });
  after(() => world.stop());
  beforeEach(async () => {
    owner = await ownerSession(world);
  });

  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${world.origin}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { data, errors } = (await response.json()) as {
      data?: Record<string, unknown>;
      errors?: { message: string; extensions: { code: string; requestId: string } }[];
    };
    const [{ message = '', extensions = { code: '', requestId: '' } } = {}] = errors ?? [];
    return {
      status: response.status,
      headers: response.headers,
      data,
      code: extensions.code,
      message,
      requestId: extensions.requestId,
    };
  };
  const from = (address: string) => ({ 'X-Forwarded-For': address });

  it('answers introspection to sessions alone', async () => {
    const refused = await post({ query: INTROSPECTION }, from('192.0.2.1'));
    expect(refused).to.include({ status: 400, code: 'not_signed_in' });
    expect(refused.message).to.include('Sign in');
    expect(refused.requestId).to.equal(refused.headers.get('x-request-id'));
    expect((await post({ query: INTROSPECTION }, { Cookie: 'session=made-up', ...from('192.0.2.1') })).status).to.equal(
      400,
    );
    expect((await post({ query: '{ __typename }' }, from('192.0.2.1'))).data).to.deep.equal({ __typename: 'Query' });
    const { status, data } = await post({ query: INTROSPECTION }, { Cookie: owner });
    expect(status).to.equal(200);
    expect(data?.__schema).to.have.property('types').with.length.above(50);
  });

  it('never runs what is only named by a hash: it could have been asked by somebody else', async () => {
    const persistedQuery = { version: 1, sha256Hash: '0'.repeat(64) };
    const reply = await post({ extensions: { persistedQuery } }, { Cookie: owner });
    expect(reply.code).to.equal('PERSISTED_QUERY_NOT_SUPPORTED');
  });

  it('refuses what costs too much as a fault of the question, whatever limit it says', async () => {
    const page = (at: number, limit: number) =>
      `a${at}: links(projectId: $id, limit: ${limit}) { data { id slug domain destination title tags shortUrl status } }`;
    const pages = Array.from({ length: 20 }, (_, at) => page(at, 100)).join(' ');
    const query = (more: string) => `query ($id: ID!) { ${pages} ${more} }`;
    for (const more of ['', page(99, -100_000_000)]) {
      const reply = await post({ query: query(more), variables: { id: mine.projectId } }, { Cookie: owner });
      expect(reply).to.include({ status: 400, code: 'query_too_costly' });
      expect(reply.message).to.include('Ask for fewer rows');
    }
    const runs = Array.from({ length: 3 }, (_, at) => `a${at}: runHealthChecks(projectId: $id) { status }`).join(' ');
    const checks = { query: `mutation ($id: ID!) { ${runs} }`, variables: { id: mine.projectId } };
    expect(await post(checks, { Cookie: owner })).to.include({ status: 400, code: 'query_too_costly' });
  });

  it('refuses documents that are dear to look at before they are looked at', async () => {
    for (const query of [
      `{ ${'me{id email} '.repeat(200)} }`,
      `{ me { ${'id '.repeat(4000)} } }`,
      `{ ...A } ${Array.from({ length: 40 }, (_, at) => `fragment ${'A'.repeat(at + 1)} on Query { ...${'A'.repeat(at + 2)} ...${'A'.repeat(at + 2)} }`).join(' ')}`,
      `{ me { id } } #${'x'.repeat(15_000)}${'{ me { id } }'.repeat(10)}${' '.repeat(40_000)}`,
    ]) {
      const reply = await post({ query }, { Cookie: owner });
      expect(reply, query.slice(0, 40)).to.include({ status: 400, code: 'query_too_costly' });
    }
  });

  it('takes no time for addresses with many parameters', async () => {
    const many = 'a&'.repeat(7500);
    const ask = async (method: string) => {
      const startedAt = performance.now();
      const { status } = await fetch(`${world.origin}/graphql?${many}`, { method, headers: from('192.0.2.9') });
      return { status, tookMs: performance.now() - startedAt };
    };
    const [post, ...others] = [await ask('POST'), await ask('GET'), await ask('HEAD'), await ask('PUT')];
    for (const { status, tookMs } of others) {
      expect(status).to.be.within(400, 499);
      expect(tookMs).to.be.lessThan(20 * post.tookMs + 250);
    }
  });

  it('says the first thing that is wrong with variables, in few words', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, 1]));
    const query = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
    const reply = await post({ query, variables: { input: unknown } }, { Cookie: owner });
    expect(reply).to.include({ status: 400, code: 'BAD_USER_INPUT' });
    expect(reply.message.length).to.be.lessThan(1000);
    expect(reply.message).to.equal(
      'Variable "$input" got an invalid value; Field "email" of required type "String!" was not provided.',
    );
    const small = await post({ query, variables: { input: { email: 1 } } }, { Cookie: owner });
    expect(small.message).to.equal(
      'Variable "$input" got an invalid value at "input.email"; String cannot represent a non string value: 1',
    );
  });

  it('reads little of strangers, and runs one document at a time', async () => {
    const long = await post({ query: '{ me { id } }', variables: { x: 'x'.repeat(20_000) } }, from('192.0.2.2'));
    expect(long).to.include({ status: 413, code: 'payload_too_large' });
    expect((await post([{ query: '{ me { id } }' }, { query: '{ me { id } }' }], { Cookie: owner })).status).to.equal(
      400,
    );
  });

  it('refuses what another site has a browser send', async () => {
    for (const site of ['cross-site', 'same-site']) {
      const reply = await post({ query: '{ me { id } }' }, { Cookie: owner, 'Sec-Fetch-Site': site });
      expect(reply, site).to.include({ status: 400, code: 'invalid_request' });
      const stream = `${world.origin}/graphql/clicks?project_id=${mine.projectId}`;
      expect((await fetch(stream, { headers: { Cookie: owner, 'Sec-Fetch-Site': site } })).status).to.equal(400);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await post({ query: '{ me { id } }' }, { Cookie: owner, 'Sec-Fetch-Site': site })).status).to.equal(200);
    }
  });

  it('counts each session against a quota of its own', async () => {
    const other = await ownerSession(world);
    const first = await post({ query: '{ me { id } }' }, { Cookie: owner });
    expect(first.headers.get('ratelimit-limit')).to.equal(String(SESSION_QUOTA));
    expect(first.headers.get('ratelimit-remaining')).to.equal(String(SESSION_QUOTA - 1));
    for (let at = 1; at < SESSION_QUOTA; at += 1) await post({ query: '{ me { id } }' }, { Cookie: owner });
    const reply = await post({ query: '{ me { id } }' }, { Cookie: owner });
    expect(reply).to.include({ status: 429, code: 'rate_limited' });
    expect(Number(reply.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await post({ query: '{ me { id } }' }, { Cookie: other })).status).to.equal(200);
  });

  it('counts whoever has no session by address', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 32; at += 1) {
      statuses.push(
        (await post({ query: '{ me { id } }' }, { Cookie: `session=guess${at}`, ...from('192.0.2.3') })).status,
      );
    }
    expect(statuses.slice(0, 30)).to.deep.equal(Array(30).fill(200));
    expect(statuses.slice(30)).to.deep.equal([429, 429]);
    expect((await post({ query: '{ me { id } }' }, from('192.0.2.4'))).status).to.equal(200);
    expect((await graphql(world.origin, '{ me { id } }', {}, owner)).status).to.equal(200);
  });
});
