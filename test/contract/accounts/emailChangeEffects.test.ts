// stores: any
import { expect } from 'chai';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { emailChanges } from '../../support/emailChanges.ts';
import { graphql } from '../../support/graphql.ts';
import { codeOf, invite, MANY_PEOPLE, mailedToken, newEmail, newPerson, teamOf } from '../../support/people.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

const RESET = 'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';

describe('a changed e-mail', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_UP: 'open' });
  const { changed, undo, undoing } = emailChanges(world);

  it('voids links for new passwords that went to the former address', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    await graphql(world.origin, 'mutation ($email: String!) { requestPasswordReset(email: $email) }', {
      email: person.email,
    });
    const token = await until(() => mailedToken(person.email, 'password_reset'), 'the mail');
    await changed(person, email);
    expect(codeOf(await graphql(world.origin, RESET, { token, password: 'a quite different password' }))).to.equal(
      'invalid_token',
    );
  });

  it('leaves invitations to the address that they are for', async () => {
    const [owner, person, email] = [await newPerson(world), await newPerson(world), newEmail()];
    const teamId = await teamOf(owner);
    await invite(owner, { teamId, email });
    await invite(owner, { teamId, email: person.email });
    const [toNew, toOld] = [await mailedToken(email, 'invitation'), await mailedToken(person.email, 'invitation')];
    await changed(person, email);
    const accept = (token: string) =>
      person.ask('mutation ($token: String!) { acceptInvitation(token: $token) { id } }', { token });
    expect(codeOf(await accept(toOld))).to.equal('wrong_account');
    expect(codeOf(await accept(toNew))).to.equal(undefined);
  });

  it('stands in the audit log of each team of the person', async () => {
    const [person, email] = [await newPerson(world), newEmail()];
    const teamId = await teamOf(person);
    await changed(person, email);
    await undo(await undoing(person.email));
    const entries = await AuditEntry.findAll({ where: { teamId }, order: [['id', 'ASC']] });
    const changes = entries.filter(({ action }) => action.startsWith('account.email'));
    expect(changes.map(({ action }) => action)).to.deep.equal(['account.email_changed', 'account.email_change_undone']);
    expect(changes[0]?.details).to.deep.equal({ changes: { email: { from: person.email, to: email } } });
    expect(changes[0]?.actorId).to.equal(person.userId);
  });
});
