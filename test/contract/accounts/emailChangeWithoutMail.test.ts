// stores: any
import { expect } from 'chai';
import { EmailChange } from '../../../src/models/EmailChange.ts';
import { codeOf, newEmail, newPerson, newSession, PASSWORD, trySignIn, trySignUp } from '../../support/people.ts';
import { useOwnWorld } from '../../support/world.ts';

const CHANGE = `mutation ($email: String!, $password: String!) {
  changeEmail(email: $email, password: $password) { email sentTo changedAt undoUntil } }`;
const ME = '{ me { email pendingEmail } }';

describe('changing an e-mail where no mail is sent', () => {
  const world = useOwnWorld({ SIGN_UP: 'open', SIGN_UPS_PER_HOUR: '1000' });

  it('happens at once, cannot be undone, and is refused for an address that has an account', async () => {
    const [person, other, email] = [await newPerson(world), await newPerson(world), newEmail()];
    const change = (to: string) => person.ask(CHANGE, { email: to, password: PASSWORD });
    expect(codeOf(await change(other.email))).to.equal('conflict');
    const { data } = await change(email);
    expect(data.changeEmail).to.include({ email, sentTo: null, undoUntil: null });
    expect(data.changeEmail.changedAt).to.be.a('string');
    expect((await person.ask(ME)).data.me).to.include({ email, pendingEmail: null });
    expect(codeOf(await trySignIn(world, { email }))).to.equal(undefined);
    expect(await EmailChange.count()).to.equal(0);
    expect(codeOf(await trySignUp(world, { email: person.email })), 'not reserved').to.equal(undefined);
  });

  it('counts wrong passwords against the session, as other changes of the account', async () => {
    const person = await newPerson(world);
    const change = (password: string) => person.ask(CHANGE, { email: newEmail(), password });
    for (let time = 0; time < 10; time += 1) expect(codeOf(await change('wrong'))).to.equal('invalid_credentials');
    expect(codeOf(await change(PASSWORD))).to.equal('rate_limited');
    const other = await newSession(world, { email: person.email });
    expect(codeOf(await other.ask(CHANGE, { email: newEmail(), password: PASSWORD }))).to.equal(undefined);
  });
});
