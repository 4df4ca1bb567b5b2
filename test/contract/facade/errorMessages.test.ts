// stores: any
import { expect } from 'chai';
import type { Reply } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

describe('messages of errors', () => {
  const world = useWorld();
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
  });

  it('says what is near to an unknown name, and that a parameter was given twice', async () => {
    const messageOf = (reply: Reply) =>
      reply.body.error.fields.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
    const list = await mine.api('GET', '/links?page=2&createdAfter=2026-01-01T00:00:00Z&limit=1&limit=2');
    expectInvalid(list, 'limit', 'page', 'createdAfter');
    expect(messageOf(list)).to.have.members([
      'limit: Was given more than once. Give it once.',
      'page: Is not a known parameter. Did you mean cursor?',
      'createdAfter: Is not a known parameter. Did you mean created_after?',
    ]);
    const { id } = (await mine.api('POST', '/links', { destination: 'https://example.com/' })).body;
    const link = await mine.api('PATCH', `/links/${id}`, { status: 'archived', url: 'https://example.com/' });
    expect(messageOf(link)).to.have.members([
      'status: Is not a known field. Did you mean archived?',
      'url: Is not a known field. Did you mean destination?',
    ]);
    const bulk = await mine.api('POST', '/links/bulk', {
      links: [{ destination: 'https://example.com/', expiresAt: null }],
    });
    expect(bulk.body.results[0].error.fields).to.deep.equal([
      { path: 'expiresAt', message: 'Is not a known field. Did you mean expires_at?' },
    ]);
    const webhook = await mine.api('POST', '/webhooks', { endpoint: 'https://example.com/', events: ['*'] });
    expect(messageOf(webhook)).to.include.members([
      'endpoint: Is not a known field. Did you mean url?',
      'events: Is not a known field. Did you mean event_types?',
    ]);
  });

  it('says what is wrong with how a key was sent, without repeating it', async () => {
    const messageOf = async (headers: Record<string, string>) => {
      const reply = await world.api.as(null)('GET', '/links', undefined, { headers });
      expectError(reply, 401, 'missing_key');
      expect(reply.body.error.message).to.not.include(world.secretKey);
      return reply.body.error.message;
    };
    const how = 'Send a secret key: Authorization: Bearer sk_live_…';
    expect(await messageOf({})).to.equal(how);
    expect(await messageOf({ Authorization: world.secretKey })).to.equal(
      `The word Bearer is missing before the key. ${how}`,
    );
    expect(await messageOf({ Authorization: 'Bearer' })).to.equal(`The key is missing behind the word Bearer. ${how}`);
    expect(await messageOf({ Authorization: 'Basic abc' })).to.equal(`Basic is no way to sign in here. ${how}`);
    expect(await messageOf({ 'X-Api-Key': world.secretKey })).to.equal(`The key goes into another header. ${how}`);
  });

  it('tells of Unix time and of the word for the store', async () => {
    const reply = await mine.api('POST', '/links', {
      destination: 'https://example.com/',
      expires_at: 1_767_225_600,
      routing: { ios: { fallback: 'appstore' } },
    });
    expectInvalid(reply, 'expires_at', 'routing.ios.fallback');
    expect(reply.body.error.message)
      .to.include('ISO 8601')
      .and.include('2026-01-01T00:00:00.000Z')
      .and.include('"store"');
  });

  it('list at most 50 problems and say how many more there are, whatever is wrong and however much', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`unknown_${at}`, 1]));
    const rules = Array.from({ length: 8000 }, () => ({ destination: 5 }));
    const { body, status } = await world.api('POST', '/links', { destination: 'no', ...unknown });
    expect(status).to.equal(422);
    expect(body.error.fields).to.have.length.within(2, 50);
    expect(body.error.fields.map(({ path }: { path: string }) => path)).to.include('destination');
    expect(body.error.message).to.match(/^There are 119\d\d more problems/);
    expect(JSON.stringify(body).length).to.be.below(20_000);
    const many = await world.api('POST', '/links', { destination: 'no', routing: { rules }, tags: Array(30).fill('') });
    expect(many.body.error.fields).to.have.length.within(2, 50);
    expect(many.body.error.message).to.match(/^There are \d+ more problems/);
    const row = await world.api('POST', '/links/bulk', { links: [{ destination: 'no', ...unknown }] });
    expect(row.body.results[0].error.fields).to.have.length.within(2, 50);
  });
});
