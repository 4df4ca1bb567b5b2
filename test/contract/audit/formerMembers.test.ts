// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { User } from '../../../src/models/User.ts';
import {
  invite,
  MANY_PEOPLE,
  mailedToken,
  newEmail,
  newMember,
  projectOf,
  type SignedIn,
  theOwner,
  tokenIn,
} from '../../support/people.ts';
import { useWorld } from '../../support/world.ts';

const CREATE = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }';
const CREATE_KEY = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id } }';
const LEAVE = 'mutation ($teamId: ID!) { leaveTeam(teamId: $teamId) { keys { id } } }';
const ACCEPT = 'mutation ($token: String!) { acceptInvitation(token: $token) { id } }';
const UPDATE = `mutation ($id: ID!, $input: UpdateLinkInput!, $ifUpdatedAt: DateTimeISO) {
  updateLink(id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) { id }
}`;
const SHOWN = `query ($teamId: ID!, $projectId: ID!, $linkId: ID!, $userId: ID!) {
  auditLog(teamId: $teamId, actorId: $userId) { data { action actor { name } } }
  link(id: $linkId) { createdBy { name } }
  keys(projectId: $projectId) { data { id creatorName creator { name } } }
}`;

describe('somebody who has left a team', () => {
  const world = useWorld(MANY_PEOPLE);
  let owner: SignedIn & { teamId: string };
  let projectId: string;
  let person: SignedIn;
  let linkId: string;
  let keyId: string;

  before(async () => {
    owner = await theOwner(world);
    projectId = await projectOf(owner);
  });
  beforeEach(async () => {
    person = await newMember(world, owner, owner.teamId, 'admin');
    const destination = 'https://www.example.com/';
    linkId = (await person.ask(CREATE, { input: { projectId, destination } })).data.createLink.id;
    keyId = (await person.ask(CREATE_KEY, { input: { projectId, name: 'Theirs' } })).data.createKey.id;
  });

  /** Every name by which the owner sees the person. */
  const names = async (): Promise<string[]> => {
    const variables = { teamId: owner.teamId, projectId, linkId, userId: person.userId };
    const { data, errors } = await owner.ask(SHOWN, variables);
    expect(errors, JSON.stringify(errors)).to.equal(undefined);
    const key = data.keys.data.find(({ id }: { id: string }) => id === keyId);
    const entries = data.auditLog.data.map(({ actor }: { actor: { name: string } }) => actor.name);
    expect(entries).to.have.length.above(2);
    return [...new Set<string>([...entries, data.link.createdBy.name, key.creatorName, key.creator.name])];
  };
  const changeEmail = async () => {
    const email = newEmail();
    await inTransaction((transaction) => User.update({ email }, { where: { id: person.userId }, transaction }));
    return email;
  };

  it('is called there by the e-mail with which they left, whatever it is now', async () => {
    expect(await names()).to.deep.equal([person.email]);
    await person.ask(LEAVE, { teamId: owner.teamId });
    await changeEmail();
    expect(await names()).to.deep.equal([person.email]);
  });

  it('is called by the present one as long as they are a member, and when they are one again', async () => {
    const second = await changeEmail();
    expect(await names()).to.deep.equal([second]);
    await person.ask(LEAVE, { teamId: owner.teamId });
    const third = await changeEmail();
    expect(await names()).to.deep.equal([second]);
    const { data } = await invite(owner, { teamId: owner.teamId, email: third });
    const token = (await mailedToken(third, 'invitation')) || tokenIn(data.createInvitation.url);
    await person.ask(ACCEPT, { token });
    expect(await names()).to.deep.equal([third]);
  });

  it('is not named in a refusal of a stale change by an e-mail that the team never knew', async () => {
    const { body: link } = await world.api('GET', `/links/${linkId}`);
    await person.ask(UPDATE, { id: linkId, input: { title: 'Changed' } });
    await person.ask(LEAVE, { teamId: owner.teamId });
    const email = await changeEmail();
    const { errors } = await owner.ask(UPDATE, {
      id: linkId,
      input: { title: 'Mine' },
      ifUpdatedAt: link.updated_at,
    });
    expect(errors?.[0]?.message).to.contain(person.email).and.not.contain(email);
  });
});
