// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { Mail } from '../../../src/models/Mail.ts';
import type { Role } from '../../../src/models/Membership.ts';
import { type Api, apiOf } from '../../support/api.ts';
import { codeOf, MANY_PEOPLE, newMember, newPerson, projectOf, type SignedIn, teamOf } from '../../support/people.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { startWorld, type World } from '../../support/world.ts';

const KEY = 'id name lastFour projectId expiresAt revokedAt endsWithMember createdBy creatorName';
const REMOVE = `mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { ${KEY} } } }`;
const LEAVE = `mutation ($teamId: ID!) { leaveTeam(teamId: $teamId) { keys { ${KEY} } } }`;
const ROLE =
  'mutation ($teamId: ID!, $userId: ID!, $role: Role!) { changeMemberRole(teamId: $teamId, userId: $userId, role: $role) { role } }';
const CREATE = 'mutation ($input: CreateKeyInput!) { createKey(input: $input) { id key name } }';
const KEEP = `mutation ($id: ID!) { keepKey(id: $id) { ${KEY} } }`;
const KEYS = `query ($projectId: ID!) { keys(projectId: $projectId) { data { ${KEY} } } }`;
const DAY = 86_400;

interface Made {
  id: string;
  api: Api;
}

const SETTINGS: [name: string, settings: Record<string, string>][] = [
  ['with a day to replace them', {}],
  ['at once', { REMOVED_MEMBER_KEY_SECONDS: '0' }],
];
for (const [name, settings] of SETTINGS) {
  describe(`keys of a member who is gone end ${name}`, () => {
    let world: World;
    let owner: SignedIn;
    let admin: SignedIn;
    let teamId: string;
    let projectId: string;
    let time: StoppedClock;

    before(async () => {
      world = await startWorld({ ...MANY_PEOPLE, NEW_ACCOUNT_DAYS: '0', ...settings });
    });
    beforeEach(async () => {
      owner = await newPerson(world, { teamName: 'Engines' });
      teamId = await teamOf(owner);
      projectId = await projectOf(owner);
      admin = await newMember(world, owner, teamId, 'admin');
      time = stopClock();
    });
    after(() => world.stop());
    afterEach(() => clock.reset());

    const makeKey = async (by: SignedIn, title: string, input = {}): Promise<Made> => {
      const { data } = await by.ask(CREATE, { input: { projectId, name: title, ...input } });
      return { id: data.createKey.id, api: apiOf(world.origin, data.createKey.key) };
    };
    const makeKeyWith = async (maker: Made, title: string): Promise<Made> => {
      const { body } = await maker.api('POST', '/keys', { name: title });
      return { id: body.id, api: apiOf(world.origin, body.key) };
    };
    const works = async ({ api }: Made) => (await api('GET', '/links')).status === 200;
    const remove = async (of = admin, by = owner) =>
      (await by.ask(REMOVE, { teamId, userId: of.userId })).data.removeMember;
    const namesOf = (keys: { name: string }[]) => keys.map((key) => key.name);
    const alerts = () => Alert.findAll({ where: { teamId, kind: 'security' } });

    if (settings.REMOVED_MEMBER_KEY_SECONDS) {
      it('which they are told of too', async () => {
        const key = await makeKey(admin, 'Mine');
        expect(await works(key)).to.equal(true);
        const [ended] = (await remove()).keys;
        expect(ended).to.include({ name: 'Mine', endsWithMember: false });
        expect(ended.revokedAt).to.equal(new Date(time.nowMs).toISOString());
        expect(await works(key), 'the process knew it').to.equal(false);
        expect(codeOf(await owner.ask(KEEP, { id: key.id }))).to.equal('conflict');
        expect((await alerts())[0]?.title).to.include('have ended');
      });
      return;
    }

    it('also those that were made with these; others, and those of other teams, go on', async () => {
      const [first, owners] = [await makeKey(admin, 'First'), await makeKey(owner, 'Owner')];
      const second = await makeKeyWith(first, 'Second');
      const third = await makeKeyWith(second, 'Third');
      const publishable = await makeKey(admin, 'App', { kind: 'publishable' });
      const elsewhere = await newPerson(world);
      const otherTeam = await teamOf(elsewhere);
      await elsewhere.ask('mutation ($input: CreateKeyInput!) { createKey(input: $input) { id } }', {
        input: { projectId: await projectOf(elsewhere), name: 'X' },
      });
      // The chain goes through a key that has ended.
      await owner.ask('mutation ($id: ID!) { revokeKey(id: $id) }', { id: second.id });
      const { keys } = await remove();
      expect(namesOf(keys)).to.have.members(['First', 'Third']);
      const end = new Date(time.nowMs + DAY * 1000).toISOString();
      for (const key of keys) expect(key).to.include({ expiresAt: end, revokedAt: null, endsWithMember: true });
      expect([await works(first), await works(third)]).to.deep.equal([true, true]);
      time.move(DAY - 1);
      expect(await works(first)).to.equal(true);
      time.move(1);
      expect([await works(first), await works(third), await works(owners)]).to.deep.equal([false, false, true]);
      const listed = (await owner.ask(KEYS, { projectId })).data.keys.data;
      const byName = (title: string) => listed.find((key: { name: string }) => key.name === title);
      expect(byName('First').revokedAt).to.equal(end);
      expect(byName('First')).to.include({ createdBy: admin.userId, creatorName: admin.email, endsWithMember: false });
      expect(byName('Third')).to.include({ createdBy: second.id, creatorName: 'Second' });
      expect(byName('App')).to.include({ id: publishable.id, expiresAt: null, revokedAt: null });
      expect(await Alert.count({ where: { teamId: otherTeam } })).to.equal(0);
    });

    it('which an alert and the audit log say, and a mail', async () => {
      const key = await makeKey(admin, 'Nightly job');
      await remove();
      const [alert, ...more] = await alerts();
      expect(more).to.deep.equal([]);
      expect(alert).to.include({ projectId: null, severity: 'warning' });
      expect(alert?.message).to.include('Nightly job').and.include(admin.email);
      const expires = new Date(time.nowMs + DAY * 1000).toISOString();
      expect(alert?.details.keys).to.have.nested.property('[0].id', key.id);
      expect(alert?.details.keys).to.have.nested.property('[0].expires_at', expires);
      const noted = await AuditEntry.findAll({ where: { teamId, subjectId: key.id } });
      expect(noted.map(({ action }) => action)).to.have.members(['key.created', 'key.revocation_planned']);
      expect(await Mail.count({ where: { address: owner.email, kind: 'alert' } })).to.equal(1);
      expect(await Mail.count({ where: { address: admin.email, kind: 'alert' } }), 'who is gone').to.equal(0);
    });

    it('when they leave by themselves, even in survival mode', async () => {
      const key = await makeKey(admin, 'Mine');
      await owner.ask('mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "x") { id } }', { id: teamId });
      const { data } = await admin.ask(LEAVE, { teamId });
      expect(namesOf(data.leaveTeam.keys)).to.deep.equal(['Mine']);
      time.move(DAY);
      expect(await works(key)).to.equal(false);
    });

    it('unless an admin keeps them: they are theirs then', async () => {
      const [kept, made] = [await makeKey(admin, 'Kept'), await makeKey(admin, 'Not kept')];
      await remove();
      for (const role of ['member', 'viewer'] as Role[]) {
        const other = await newMember(world, owner, teamId, role);
        expect(codeOf(await other.ask(KEEP, { id: kept.id })), role).to.equal('insufficient_scope');
      }
      const stranger = await newPerson(world);
      expect(codeOf(await stranger.ask(KEEP, { id: kept.id }))).to.equal('not_found');
      expect(codeOf(await admin.ask(KEEP, { id: kept.id }))).to.equal('not_found');
      const keeper = await newMember(world, owner, teamId, 'admin');
      const { data } = await keeper.ask(KEEP, { id: kept.id });
      expect(data.keepKey).to.include({ expiresAt: null, endsWithMember: false, createdBy: keeper.userId });
      expect(codeOf(await keeper.ask(KEEP, { id: kept.id })), 'twice').to.equal('conflict');
      time.move(DAY);
      expect([await works(kept), await works(made)]).to.deep.equal([true, false]);
      expect(codeOf(await keeper.ask(KEEP, { id: made.id })), 'too late').to.equal('conflict');
      expect(namesOf((await remove(keeper)).keys)).to.deep.equal(['Kept']);
    });

    it('and cannot be used to make or roll keys that go on', async () => {
      const key = await makeKey(admin, 'Mine');
      await remove();
      const copy = await makeKeyWith(key, 'Copy');
      const rolled = await key.api('POST', `/keys/${key.id}/roll`, {});
      expect(rolled.status).to.equal(200);
      const next = { id: rolled.body.id, api: apiOf(world.origin, rolled.body.key) };
      expect([await works(copy), await works(next)]).to.deep.equal([true, true]);
      time.move(DAY);
      expect([await works(copy), await works(next)]).to.deep.equal([false, false]);
    });

    it('and none is left out that is made in that moment', async () => {
      for (let round = 0; round < 3; round += 1) {
        const by = await newMember(world, owner, teamId, 'admin');
        const key = await makeKey(by, `Key ${round}`);
        const input = { projectId, name: `Late ${round}` };
        const [, byKey, byPerson] = await Promise.all([
          remove(by),
          key.api('POST', '/keys', { name: `Late ${round}` }),
          by.ask(CREATE, { input }),
        ]);
        time.move(DAY);
        const late = [byKey.body.key, byPerson.data?.createKey?.key].filter(Boolean);
        for (const made of late) expect((await apiOf(world.origin, made)('GET', '/links')).status).to.equal(401);
      }
    });

    it('which an earlier expiry does not lengthen', async () => {
      const expiresAt = new Date(time.nowMs + 3600_000).toISOString();
      await makeKey(admin, 'Short', { expiresAt });
      const expired = await makeKey(admin, 'Over', { expiresAt: new Date(time.nowMs + 1000).toISOString() });
      time.move(2);
      const { keys } = await remove();
      expect(keys).to.have.length(1);
      expect(keys[0]).to.include({ name: 'Short', expiresAt });
      expect(await works(expired)).to.equal(false);
    });

    it('not when they get a role that makes none: an alert names them', async () => {
      const key = await makeKey(admin, 'Mine');
      await owner.ask(ROLE, { teamId, userId: admin.userId, role: 'viewer' });
      time.move(2 * DAY);
      expect(await works(key)).to.equal(true);
      const [alert] = await alerts();
      expect(alert?.title).to.include('still work');
      expect(alert?.details.keys).to.have.nested.property('[0].expires_at', null);
      expect(await Mail.count({ where: { address: owner.email, kind: 'alert' } })).to.equal(1);
    });
  });
}
