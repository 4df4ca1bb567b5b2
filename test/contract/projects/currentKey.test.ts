// stores: any
import { expect } from 'chai';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeKey, ownerSession } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

describe('GET /keys/current', () => {
  const world = useWorld();

  it('tells a key what it is, whatever its scopes', async () => {
    const { projectId, teamId, api } = await firstTenant(world);
    const session = await ownerSession(world);
    const expiresAt = '2090-01-01T00:00:00.000Z';
    const made = await makeKey(world, session, { projectId, scopes: ['tags:read'], expiresAt });
    const { status, body } = await api.as(made.key)('GET', '/keys/current');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ id: made.id, name: 'Made', scopes: ['tags:read'], expires_at: expiresAt });
    expect(body.project).to.include({ id: projectId });
    expect(body.team).to.deep.include({ id: teamId, status: 'active', read_only_reason: null });
    expect(body.write_budget).to.deep.equal({ limit: 200, remaining: 200, reset_seconds: 0 });
    expect(JSON.stringify(body)).not.to.include('sk_live_');
  });

  it('is for secret keys', async () => {
    const { api } = await firstTenant(world);
    expectError(await api.as(null)('GET', '/keys/current'), 401, 'missing_key');
    expectError(await api.as(world.publishableKey)('GET', '/keys/current'), 403, 'publishable_key_refused');
    expectError(await api.as('sk_live_unknown')('GET', '/keys/current'), 401, 'invalid_key');
    expectError(await api('GET', '/keys/current?of=me'), 422, 'validation_failed');
    const asked = await graphql(world.origin, '{ currentKey { id } }', {}, await ownerSession(world));
    expect(asked.errors?.[0]?.extensions?.code).to.equal('missing_key');
  });
});
