// stores: any
import { expect } from 'chai';
import { expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, ownerSession } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const CREATE = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';

describe('the rules that fields break', () => {
  const world = useWorld();

  it('are named in GraphQL, with what they demand', async () => {
    const cookie = await ownerSession(world);
    const { projectId } = await firstTenant(world);
    const input = {
      projectId,
      destination: 'no url',
      slug: 'a b',
      title: 'x'.repeat(1000),
      clickLimit: 0,
      domain: 'nowhere.example',
      tags: Array.from({ length: 1000 }, (_, at) => `tag ${at}`),
      data: { long: 'x'.repeat(20_000) },
      notes: 'half \ud800',
      routing: { rules: [{ when: { platform: ['nokia'] } }] },
    };
    const { errors } = await graphql(world.origin, CREATE, { input }, cookie);
    expect(errors?.[0]?.extensions.code).to.equal('validation_failed');
    const fields = errors?.[0]?.extensions.fields as { path: string; rule: string | null; limit: unknown }[];
    const rules = Object.fromEntries(
      fields.map(({ path, rule, limit }) => [path.replace(/^input\./, ''), [rule, limit]]),
    );
    expect(rules).to.deep.include({
      destination: ['format', 'destination'],
      slug: ['format', 'slug'],
      clickLimit: ['minimum', 1],
      data: ['maxBytes', 16_384],
      notes: ['characters', null],
      'routing.rules.0.destination': ['required', null],
    });
    expect(rules.title?.[0]).to.equal('maxLength');
    expect(rules.tags?.[0]).to.equal('maxItems');
    expect(rules['routing.rules.0.when.platform.0']?.[0]).to.equal('enum');
    expect(rules['routing.rules.0.when.platform.0']?.[1]).to.include('ios');
    // Only the project knows its domains.
    expect(rules.domain).to.deep.equal([null, null]);
  });

  it('are not part of errors in REST', async () => {
    const reply = await world.api('POST', '/links', { slug: 'a b', click_limit: 0 });
    expectInvalid(reply, 'slug', 'click_limit', 'destination');
    for (const field of reply.body.error.fields) expect(Object.keys(field)).to.deep.equal(['path', 'message']);
  });
});
