// stores: any
import { expect } from 'chai';
import { purgeAccounts } from '../../../src/accounts/purgeAccounts.ts';
import { purgeDeletedAccounts } from '../../../src/accounts/purgeDeletedAccounts.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { User } from '../../../src/models/User.ts';
import { emailChanges } from '../../support/emailChanges.ts';
import {
  codeOf,
  done,
  MANY_PEOPLE,
  mailsTo,
  newPerson,
  newSession,
  PASSWORD,
  resetPassword,
  type SignedIn,
  teamOf,
} from '../../support/people.ts';
import { stopClock } from '../../support/stopClock.ts';
import { useOwnWorld, useSettings } from '../../support/world.ts';

const DELETE = 'mutation ($password: String!) { deleteAccount(password: $password) { deletionAt } }';
const RESTORE = 'mutation { restoreAccount { email } }';
const NEXT = 'a quite different password';
const DAY = 86_400;

describe('the link that undoes a change of an e-mail', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  const { changed, undo, undoing, emailOf } = emailChanges(world);
  afterEach(() => clock.reset());

  it('voids later changes also where a process with a slower clock made them', async () => {
    const person = await newPerson(world);
    const time = stopClock();
    const { email: second } = await changed(person);
    const first = await undoing(person.email);
    time.move(-5);
    await changed(person);
    const later = await undoing(second);
    expect(codeOf(await undo(first))).to.equal(undefined);
    expect(codeOf(await undo(later))).to.equal('invalid_token');
    expect(await emailOf(person)).to.equal(person.email);
  });

  describe('where an intruder has deleted the account', () => {
    const deletionOf = async ({ userId }: SignedIn) => (await User.findByPk(userId))?.deletionAt?.getTime();
    const shown = (atMs: number) => new Date(atMs).toISOString().slice(0, 16).replace('T', ' ');

    /** The person gets the account back with nothing but the mails to their former address. */
    const takeBack = async ({ email }: SignedIn) => {
      expect(codeOf(await undo(await undoing(email)))).to.equal(undefined);
      const notice = (await mailsTo(email)).at(-1);
      await done(resetPassword(world, email, NEXT));
      const session = await newSession(world, { email, password: NEXT });
      expect((await session.ask(RESTORE)).data.restoreAccount).to.deep.equal({ email });
      return { session, notice };
    };

    it('works with what it had; the former address is told of the deletion and how to restore the account', async () => {
      const [person, time] = [await newPerson(world), stopClock()];
      const { email } = await changed(person);
      const untilMs = time.nowMs + 7 * DAY * 1000;
      await person.ask(DELETE, { password: PASSWORD });
      const [former, present] = [(await mailsTo(person.email)).at(-1), (await mailsTo(email)).at(-1)];
      expect([former?.kind, present?.kind]).to.deep.equal(['former_account_deleted', 'account_deleted']);
      for (const mail of [former, present]) expect(mail?.text).to.include(shown(untilMs));
      expect(former?.text).to.include('Undo the change').and.not.include(email);
      expect(present?.text).to.not.include('Undo the change').and.not.include(person.email);
      const { notice } = await takeBack(person);
      expect(notice?.kind).to.equal('email_change_undone');
      expect(notice?.text).to.include('was deleted').and.include(shown(untilMs));
    });

    it('tells nobody whose link has expired, and says nothing of a deletion where there is none', async () => {
      const [person, time] = [await newPerson(world), stopClock()];
      const { email } = await changed(person);
      time.move(7 * DAY + 1);
      await (await newSession(world, { email })).ask(DELETE, { password: PASSWORD });
      expect((await mailsTo(person.email)).map(({ kind }) => kind)).to.not.include('former_account_deleted');
      const other = await newPerson(world);
      await changed(other);
      await undo(await undoing(other.email));
      expect((await mailsTo(other.email)).at(-1)?.text).to.not.include('deleted');
    });

    for (const deletionDays of [0, 2]) {
      describe(`with DELETION_DAYS=${deletionDays}`, () => {
        useSettings({ deletionDays });

        it('is valid no longer than the account and the team that went with it are kept', async () => {
          const [person, time] = [await newPerson(world), stopClock()];
          const teamId = await teamOf(person);
          await changed(person);
          const untilMs = time.nowMs + 7 * DAY * 1000;
          time.move(60);
          const { data } = await person.ask(DELETE, { password: PASSWORD });
          expect(data.deleteAccount.deletionAt).to.equal(new Date(untilMs).toISOString());
          const team = await Team.unscoped().findByPk(teamId, { rejectOnEmpty: true });
          const [project] = await Project.unscoped().findAll({ where: { teamId } });
          for (const { deletionAt } of [team, project as Project]) expect(deletionAt?.getTime()).to.equal(untilMs);
          time.move(7 * DAY - 61);
          while (await purgeDeletedAccounts(1000));
          await purgeAccounts(1000);
          const { session } = await takeBack(person);
          expect(await teamOf(session)).to.equal(teamId);
        });

        it('keeps the account no longer than it is valid', async () => {
          const [person, time] = [await newPerson(world), stopClock()];
          const { email } = await changed(person);
          time.move(6 * DAY);
          await (await newSession(world, { email })).ask(DELETE, { password: PASSWORD });
          const days = Math.max(1, deletionDays);
          expect(await deletionOf(person)).to.equal(time.nowMs + days * DAY * 1000);
          time.move(days * DAY);
          while (await purgeDeletedAccounts(1000));
          expect(await User.count({ where: { id: person.userId } })).to.equal(0);
        });
      });
    }
  });
});
