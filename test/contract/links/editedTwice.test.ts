// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { separateTimes } from '../../../src/links/staleChange.ts';
import { Link } from '../../../src/models/Link.ts';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const UPDATE = `mutation ($id: ID!, $input: UpdateLinkInput!, $ifUpdatedAt: DateTimeISO) {
  updateLink(id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) { title updatedAt }
}`;

describe('a link that two people edit', () => {
  const world = useWorld();
  let mine: Tenant;
  let ada: string;
  let bob: string;
  let bobsEmail: string;

  before(async () => {
    mine = await firstTenant(world);
    ada = await memberSession(world, mine.teamId, 'member');
    bob = await memberSession(world, mine.teamId, 'member');
    bobsEmail = (await graphql(world.origin, '{ me { email } }', {}, bob)).data.me.email;
  });

  const opened = async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    return { id, ifUpdatedAt: (await mine.api('GET', `/links/${id}`)).body.updated_at as string };
  };
  const save = (by: string, link: { id: string; ifUpdatedAt?: string }, input: object) =>
    graphql(world.origin, UPDATE, { ...link, input }, by);
  const refusal = async (...asked: Parameters<typeof save>) => {
    const { errors } = await save(...asked);
    expect(errors?.[0]?.extensions.code).to.equal('conflict');
    return errors?.[0]?.message;
  };

  it('is saved while nobody else has changed it', async () => {
    const link = await opened();
    const first = (await save(ada, link, { title: 'first' })).data.updateLink;
    const second = await save(ada, { id: link.id, ifUpdatedAt: first.updatedAt }, { tags: ['x'] });
    expect(second.errors).to.equal(undefined);
    expect(second.data.updateLink.updatedAt).to.not.equal(first.updatedAt);
  });

  it('is not overwritten: the refusal says who changed it and when', async () => {
    const link = await opened();
    const { updatedAt } = (await save(bob, link, { title: 'by Bob' })).data.updateLink;
    expect(await refusal(ada, link, { title: 'by Ada' })).to.include(`changed by ${bobsEmail} at ${updatedAt},`);
    expect((await mine.api('GET', `/links/${link.id}`)).body.title).to.equal('by Bob');
    expect((await save(ada, { id: link.id }, { title: 'by Ada' })).errors).to.equal(undefined);
  });

  it('names keys, the operator, and nobody where the log tells of no single link', async () => {
    const byKey = await opened();
    await mine.api('PATCH', `/links/${byKey.id}`, { title: 'x' });
    expect(await refusal(ada, byKey, { title: 'y' })).to.match(/changed by the key "[^"]+" at/);
    const byOperator = await opened();
    await flagLink(byOperator.id, 'reported');
    expect(await refusal(ada, byOperator, { title: 'y' })).to.match(/changed by the operator of this installation at/);
    const inBulk = await opened();
    await mine.api('PATCH', '/links/bulk', { ids: [inBulk.id], set: { title: 'x' } });
    await mine.api('POST', `/links/${inBulk.id}/review`);
    expect(await refusal(ada, inBulk, { title: 'y' })).to.match(/^The link was changed at /);
  });

  it('is saved for exactly one of several who save at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const link = await opened();
      const saved = await Promise.all(
        Array.from({ length: 6 }, (_, at) => save(at % 2 ? ada : bob, link, { title: `${round} ${at}` })),
      );
      expect(saved.filter(({ errors }) => !errors)).to.have.length(1);
      expect(saved.flatMap(({ errors }) => errors?.[0]?.extensions.code ?? [])).to.deep.equal(
        Array(5).fill('conflict'),
      );
    }
  });

  it('has another time after each change, even within a millisecond', async () => {
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    const link = await Link.findByPk(id, { rejectOnEmpty: true });
    const before = link.updatedAt;
    await inTransaction((transaction) => separateTimes(link, before, transaction));
    const stored = await Link.findByPk(id, { rejectOnEmpty: true });
    expect([stored.updatedAt.getTime(), link.updatedAt.getTime()]).to.deep.equal(Array(2).fill(before.getTime() + 1));
  });
});
