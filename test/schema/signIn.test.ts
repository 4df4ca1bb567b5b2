import { expect } from 'chai';
import { graphql, signIn } from '../support/graphql.ts';
import { codeOf, MANY_PEOPLE, newPerson, newSession, trySignIn } from '../support/people.ts';
import { startWorld, type World } from '../support/world.ts';

const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id email } }';

describe('signing in too often', () => {
  let world: World;

  before(async () => {
    world = await startWorld({ SIGN_IN_ATTEMPTS: '3', SIGN_IN_PAUSE_SECONDS: '60' });
  });
  after(() => world.stop());

  it('is refused after SIGN_IN_ATTEMPTS failures, also with the right password', async () => {
    const attempt = (email: string, password: string) =>
      graphql(world.origin, SIGN_IN, { input: { email, password } }).then(codeOf);
    expect(await signIn(world.origin, world.email, world.password)).to.be.a('string');
    for (let time = 0; time < 3; time += 1) expect(await attempt(world.email, 'wrong')).to.equal('invalid_credentials');
    expect(await attempt(world.email, 'wrong')).to.equal('rate_limited');
    expect(await attempt(world.email, world.password)).to.equal('rate_limited');
    expect(await attempt('other@example.com', 'wrong')).to.equal('rate_limited');
  });
});

describe('wrong passwords of an account', () => {
  let world: World;
  before(async () => {
    world = await startWorld({ ...MANY_PEOPLE, SIGN_IN_ATTEMPTS: '6' });
  });
  after(() => world.stop());

  it('stay counted after a right one, which makes no room for more', async () => {
    const person = await newPerson(world);
    const email = person.email;
    for (let time = 0; time < 5; time += 1) await trySignIn(world, { email, password: 'wrong' });
    expect((await newSession(world, { email })).email).to.equal(email);
    expect(codeOf(await trySignIn(world, { email, password: 'wrong' }))).to.equal('invalid_credentials');
    expect(codeOf(await trySignIn(world, { email }))).to.equal('rate_limited');
  });
});

describe('the session cookie under https', () => {
  let world: World;

  before(async () => {
    world = await startWorld({ BASE_URL: 'https://127.0.0.1' });
  });
  after(() => world.stop());

  it('is bound to the host and sent over https alone', async () => {
    const { email, password } = world;
    const { setCookie, cookie } = await graphql(world.origin, SIGN_IN, { input: { email, password } });
    expect(setCookie)
      .to.match(/^__Host-session=/)
      .and.match(/; path=\//i)
      .and.match(/; secure/i)
      .and.match(/; httponly/i);
    expect(setCookie).to.not.match(/domain=/i);
    expect((await graphql(world.origin, '{ me { email } }', {}, cookie)).data.me.email).to.equal(email);
  });
});
