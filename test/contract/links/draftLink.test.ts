// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { Link } from '../../../src/models/Link.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { Team } from '../../../src/models/Team.ts';
import { createLink } from '../../support/createLink.ts';
import { graphql } from '../../support/graphql.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/landing';

const DRAFT = `query ($projectId: ID!, $linkId: ID, $input: DraftLinkInput!, $visitor: VisitorInput) {
  draftLink(projectId: $projectId, linkId: $linkId, input: $input, visitor: $visitor) {
    problems { path message rule limit } slugTaken shortUrl duplicates { id }
    trace { steps { rule matched } outcome { kind destination } }
  }
}`;
const CREATE = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';
const UPDATE = 'mutation ($id: ID!, $input: UpdateLinkInput!) { updateLink(id: $id, input: $input) { id } }';

interface Problem {
  path: string;
  message: string;
}

describe('Query.draftLink', () => {
  const world = useWorld();
  let mine: Tenant;
  let cookie: string;

  before(async () => {
    mine = await firstTenant(world);
    cookie = await ownerSession(world);
  });

  const ask = (input: object, more: { linkId?: string; visitor?: object; projectId?: string } = {}, by = cookie) =>
    graphql(world.origin, DRAFT, { projectId: mine.projectId, input, ...more }, by);

  const draft = async (...asked: Parameters<typeof ask>) => {
    const { data, errors } = await ask(...asked);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    return data.draftLink;
  };

  const paths = (problems: Problem[]) => problems.map(({ path }) => path);

  it('finds nothing wrong with what can be created, and creates nothing', async () => {
    const before = await Promise.all([Link.count(), Tag.count()]);
    const input = { destination: DESTINATION, slug: 'fresh', tags: ['never seen'], password: 'secret' };
    const { problems, slugTaken, shortUrl } = await draft(input);
    expect([problems, slugTaken]).to.deep.equal([[], false]);
    expect(shortUrl).to.match(/\/fresh$/);
    expect(await Promise.all([Link.count(), Tag.count()])).to.deep.equal(before);
    expect((await draft({ destination: DESTINATION })).shortUrl).to.equal(null);
  });

  it('lists what breaks a rule with the paths, messages and rules of createLink', async () => {
    const input = {
      destination: 'no url',
      slug: 'a b',
      clickLimit: 0,
      utm: { source: 'x'.repeat(501) },
      routing: { rules: [{ when: { platform: ['nokia'] }, destination: DESTINATION }] },
    };
    const { problems, trace } = await draft(input);
    const refused = await graphql(world.origin, CREATE, { input: { ...input, projectId: mine.projectId } }, cookie);
    expect(problems).to.deep.equal(refused.errors?.[0]?.extensions.fields);
    expect(paths(problems)).to.include.members(['input.destination', 'input.routing.rules.0.when.platform.0']);
    expect(trace).to.equal(null);
  });

  it('lists what only the project knows, beside fields that break a rule', async () => {
    const { problems } = await draft({
      destination: 'unknown-app://open',
      slug: 'a b',
      domain: 'not-ours.example.com',
      startsAt: '2031-01-01T00:00:00Z',
      expiresAt: '2030-01-01T00:00:00Z',
      routing: { rules: [{ when: { device: ['mobile'] }, destination: 'unknown-app://open' }] },
    });
    expect(paths(problems)).to.have.members([
      'input.slug',
      'input.destination',
      'input.routing.rules.0.destination',
      'input.domain',
      'input.expiresAt',
    ]);
  });

  it('names the URL that a scan would refuse, with the message of that refusal', async () => {
    const input = { destination: `${world.origin}/another`, preview: { imageUrl: `${world.origin}/picture` } };
    const { problems } = await draft(input);
    expect(paths(problems)).to.deep.equal(['input.destination', 'input.preview.imageUrl']);
    const refused = await graphql(world.origin, CREATE, { input: { ...input, projectId: mine.projectId } }, cookie);
    expect(refused.errors?.[0]?.extensions.code).to.equal('destination_refused');
    expect(problems[0].message).to.equal(refused.errors?.[0]?.message);
  });

  it('asks for a destination only where it is new', async () => {
    const { problems, trace } = await draft({ title: 'Later' });
    expect([problems, trace]).to.deep.equal([
      [{ path: 'input.destination', message: 'Is required.', rule: null, limit: null }],
      null,
    ]);
    const { id } = await createLink(mine.api, { destination: DESTINATION });
    expect((await draft({ title: 'Later' }, { linkId: id })).problems).to.deep.equal([]);
  });

  it('says that a slug or an external id is used, but not by the link that is changed', async () => {
    const used = { destination: DESTINATION, slug: 'drafted', externalId: 'drafted id' };
    const { id } = await createLink(mine.api, { destination: DESTINATION, slug: 'drafted', external_id: 'drafted id' });
    const { problems, slugTaken } = await draft(used);
    expect([slugTaken, paths(problems)]).to.deep.equal([true, ['input.slug', 'input.externalId']]);
    const refused = await graphql(world.origin, CREATE, { input: { ...used, projectId: mine.projectId } }, cookie);
    expect(problems.map(({ message }: Problem) => message)).to.include(refused.errors?.[0]?.message);
    expect((await draft(used, { linkId: id })).problems).to.deep.equal([]);

    const other = await createLink(mine.api, { destination: DESTINATION });
    expect((await draft({ slug: 'drafted' }, { linkId: other.id })).slugTaken).to.equal(true);
    const update = await graphql(world.origin, UPDATE, { id: other.id, input: { slug: 'drafted' } }, cookie);
    expect(update.errors?.[0]?.extensions.code).to.equal('slug_taken');
  });

  it('counts a slug on an own domain as free where only a link of its former project has it', async () => {
    const { projectId } = await makeTenant(world);
    const domain = 'drafts.example.com';
    await addLinkDomain(mine.projectId, domain);
    await inTransaction((transaction) =>
      Link.create(
        { id: 'lnk_left', projectId, domain, slug: 'left', destination: DESTINATION, data: {} },
        { transaction },
      ),
    );
    const input = { destination: DESTINATION, domain, slug: 'left' };
    expect(await draft(input)).to.deep.include({ problems: [], slugTaken: false });
    const created = await graphql(world.origin, CREATE, { input: { ...input, projectId: mine.projectId } }, cookie);
    expect(created.errors).to.equal(undefined);
    expect((await draft(input)).slugTaken).to.equal(true);
  });

  it('traces the visitor through the draft, over what is saved', async () => {
    const routing = { rules: [{ when: { country: ['DE'] }, destination: 'https://de.example.com/' }] };
    const { id } = await createLink(mine.api, { destination: DESTINATION, routing });
    const visitor = { country: 'DE', platform: 'ios' };
    const outcome = async (input: object) => (await draft(input, { linkId: id, visitor })).trace.outcome;
    expect(await outcome({})).to.deep.equal({ kind: 'redirect', destination: 'https://de.example.com/' });
    expect(await outcome({ routing: null })).to.deep.equal({ kind: 'redirect', destination: DESTINATION });
    expect(await outcome({ password: 'secret' })).to.deep.include({ kind: 'password' });
    expect(await outcome({ archived: true })).to.deep.include({ kind: 'not_found' });
    expect((await draft({ destination: DESTINATION, routing }, { visitor })).trace.outcome.destination).to.equal(
      'https://de.example.com/',
    );
    expect((await Link.findByPk(id))?.passwordHash).to.equal(null);
  });

  it('keeps a visitor on one side of a split while the draft is written', async () => {
    const split = ['a', 'b', 'c', 'd'].map((name) => ({ destination: `https://${name}.example.com/`, weight: 1 }));
    const seen = new Set<string>();
    for (let time = 0; time < 6; time += 1) {
      seen.add((await draft({ destination: DESTINATION, routing: { split } })).trace.outcome.destination);
    }
    expect(seen.size).to.equal(1);
  });

  it('shows the newest five other links with exactly this destination', async () => {
    const destination = `https://www.example.com/Twins/${'long/'.repeat(60)}?a=1`;
    const ids: string[] = [];
    for (let at = 0; at < 7; at += 1) ids.push((await createLink(mine.api, { destination })).id);
    await createLink(mine.api, { destination: destination.replace('Twins', 'twins') });
    await createLink((await makeTenant(world, mine.teamId)).api, { destination });
    const shown = async (...asked: Parameters<typeof ask>) =>
      (await draft(...asked)).duplicates.map(({ id }: { id: string }) => id);
    expect(await shown({ destination })).to.deep.equal(ids.slice(2).reverse());
    expect(await shown({}, { linkId: ids[6] as string })).to.deep.equal(ids.slice(1, 6).reverse());
    expect(await shown({ destination: 'https://nobody.example.com/' })).to.deep.equal([]);
    expect(await shown({ destination: 'x' })).to.deep.equal([]);
  });

  it('is for viewers too, and in survival mode', async () => {
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    expect((await draft({ destination: DESTINATION }, {}, viewer)).problems).to.deep.equal([]);
    const { teamId, projectId } = await makeTenant(world);
    const member = await memberSession(world, teamId, 'member');
    await inTransaction((transaction) => Team.update({ status: 'read_only' }, { where: { id: teamId }, transaction }));
    expect((await draft({ destination: DESTINATION }, { projectId }, member)).problems).to.deep.equal([]);
  });

  it('is refused for projects and links of others', async () => {
    const other = await makeTenant(world);
    const theirs = await createLink(other.api, { destination: DESTINATION });
    const code = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).errors?.[0]?.extensions.code;
    expect(await code({}, { projectId: other.projectId })).to.equal('not_found');
    expect(await code({}, { linkId: theirs.id })).to.equal('not_found');
    expect(await code({}, {}, '')).to.equal('not_signed_in');
    expect(await code({ destination: DESTINATION }, { visitor: { country: 'Germany' } })).to.equal('validation_failed');
  });
});
