// stores: any
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import {
  codeOf,
  MANY_PEOPLE,
  mailsTo,
  newPerson,
  PASSWORD,
  type SignedIn,
  teamOf,
  tokenIn,
} from '../../support/people.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld, useWorld } from '../../support/world.ts';

const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id email } }';
const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }';
const RESET = 'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
const CHANGE =
  'mutation ($currentPassword: String!, $password: String!) { changePassword(currentPassword: $currentPassword, password: $password) }';
const NEXT = 'a quite different password';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('wrong passwords', () => {
  const world = useOwnWorld({
    ...MANY_PEOPLE,
    SIGN_IN_ATTEMPTS: '3',
    SIGN_IN_ACCOUNT_ATTEMPTS: '6',
    SIGN_IN_ADDRESS_ATTEMPTS: '12',
    TRUSTED_PROXIES: '127.0.0.1',
  });
  let person: SignedIn;
  let addresses = 0;

  beforeEach(async () => {
    person = await newPerson(world);
  });

  const newAddress = () => `2001:db8:${(addresses++).toString(16)}:1::1`;
  const from = (address: string, query: string, variables: Record<string, unknown>, cookie?: string) =>
    graphql(world.origin, query, variables, cookie, { 'X-Forwarded-For': address, 'User-Agent': FIREFOX });
  const signIn = (address: string, password = PASSWORD, cookie?: string, email = person.email) =>
    from(address, SIGN_IN, { input: { email, password } }, cookie);
  const codes = async (times: number, ask: () => Promise<GraphqlReply>) => {
    const all = [];
    for (let time = 0; time < times; time += 1) all.push(codeOf(await ask()));
    return all;
  };
  const wrong = (times: number) => Array.from({ length: times }, () => 'invalid_credentials');
  /** From as many addresses as it takes. */
  const guessAll = async (email = person.email) => {
    for (const address of [newAddress(), newAddress()]) {
      expect(await codes(3, () => signIn(address, 'wrong', undefined, email))).to.deep.equal(wrong(3));
    }
  };

  it('close the account to their own address, and to no other', async () => {
    const [theirs, other] = [newAddress(), newAddress()];
    expect(await codes(4, () => signIn(theirs, 'wrong'))).to.deep.equal([...wrong(3), 'rate_limited']);
    expect(codeOf(await signIn(theirs)), 'the right one').to.equal('rate_limited');
    expect(codeOf(await signIn(theirs.replace('::1', ':1:2:3:4'))), 'the same network').to.equal('rate_limited');
    expect(codeOf(await signIn(other))).to.equal(undefined);
    const stranger = await newPerson(world);
    expect(codeOf(await signIn(theirs, PASSWORD, undefined, stranger.email)), 'another account').to.equal(undefined);
  });

  it('for one account in an hour are bounded over all addresses, but for browsers that it knows', async () => {
    const { cookies } = await signIn(newAddress());
    await guessAll();
    expect(codeOf(await signIn(newAddress()))).to.equal('rate_limited');
    const home = newAddress();
    const again = await signIn(home, PASSWORD, cookies);
    expect(codeOf(again)).to.equal(undefined);
    expect(await codes(4, () => signIn(home, 'wrong', cookies))).to.deep.equal([...wrong(3), 'rate_limited']);
    expect(await codes(3, () => signIn(newAddress(), 'wrong', cookies)), 'a stolen cookie').to.deep.equal(wrong(3));
    expect(codeOf(await signIn(newAddress(), PASSWORD, cookies))).to.equal('rate_limited');
  });

  it('are counted in the same way where there is no such account', async () => {
    const nobody = 'nobody@example.com';
    await guessAll(nobody);
    const [theirs, ours] = [
      await signIn(newAddress(), 'wrong', undefined, nobody),
      await guessAll().then(() => signIn(newAddress(), 'wrong')),
    ];
    const shape = ({ errors }: GraphqlReply) => errors?.[0]?.message.replace(/\d+/, 'n');
    expect(shape(theirs)).to.equal(shape(ours));
    expect([codeOf(theirs), theirs.setCookie]).to.deep.equal(['rate_limited', null]);
  });

  it('for many accounts from one address are bounded too', async () => {
    const address = newAddress();
    const tries = Array.from({ length: 12 }, (_, at) => signIn(address, 'wrong', undefined, `${at}@example.com`));
    expect((await Promise.all(tries)).map(codeOf)).to.deep.equal(wrong(12));
    expect(codeOf(await signIn(address))).to.equal('rate_limited');
  });

  it('for many accounts from one network of IPv6 are bounded at three times that', async () => {
    const network = newAddress();
    const address = (at: number) => network.replace(':1::1', `:${(at + 16).toString(16)}::1`);
    const tries = Array.from({ length: 36 }, (_, at) => signIn(address(at), 'wrong', undefined, `${at}@example.com`));
    expect((await Promise.all(tries)).map(codeOf)).to.deep.equal(wrong(36));
    expect(codeOf(await signIn(address(99)))).to.equal('rate_limited');
    expect(codeOf(await signIn(newAddress()))).to.equal(undefined);
  });

  it('that many send at once hold up no browser that is known, and nobody who is signed in', async () => {
    const { cookies } = await signIn(newAddress());
    const crowd = Array.from({ length: 120 }, (_, at) =>
      signIn(newAddress(), 'wrong', undefined, `${at}@crowd.example.com`),
    );
    const [stranger, known, proven] = await Promise.all([
      delay(100).then(() => signIn(newAddress(), PASSWORD, undefined, person.email)),
      delay(100).then(() => signIn(newAddress(), PASSWORD, cookies)),
      delay(100).then(() => person.ask(CHANGE, { currentPassword: 'wrong', password: NEXT })),
    ]);
    expect(codeOf(stranger)).to.be.oneOf(['unavailable', undefined]);
    expect([codeOf(known), codeOf(proven)]).to.deep.equal([undefined, 'invalid_credentials']);
    expect(new Set((await Promise.all(crowd)).map(codeOf))).to.deep.equal(
      new Set(['invalid_credentials', 'unavailable']),
    );
  });

  it('do not keep the person, who is signed in, from changing the password', async () => {
    await guessAll();
    const change = (currentPassword: string) => person.ask(CHANGE, { currentPassword, password: NEXT });
    expect(codeOf(await change(PASSWORD))).to.equal(undefined);
    expect(await codes(4, () => change('wrong'))).to.deep.equal([...wrong(3), 'rate_limited']);
  });

  it('are forgotten when a new one is set by mail', async () => {
    await guessAll();
    const home = newAddress();
    expect(codeOf(await signIn(home))).to.equal('rate_limited');
    await from(home, REQUEST, { email: person.email });
    const mail = await until(
      async () => (await mailsTo(person.email)).find(({ kind }) => kind === 'password_reset'),
      'the mail',
    );
    await from(home, RESET, { token: tokenIn(mail.text), password: NEXT });
    expect(codeOf(await signIn(home, NEXT))).to.equal(undefined);
  });

  it('are noted with the pause that follows, a few of them, and say nothing of addresses', async () => {
    const teamId = await teamOf(person);
    const attacker = newAddress();
    await codes(3, () => signIn(attacker, 'wrong'));
    const other = newAddress();
    await codes(3, () => signIn(other, 'wrong'));
    await codes(3, () => signIn(newAddress()));
    const noted = async () => (await AuditEntry.findAll({ where: { teamId }, order: [['id', 'ASC']] })).slice(1);
    await until(async () => (await noted()).length >= 3, 'the notes');
    const entries = await noted();
    expect(entries.map(({ action }) => action)).to.have.members([
      'account.sign_in_failed',
      'account.sign_in_failed',
      'account.sign_in_paused',
    ]);
    for (const { actorKind, actorId, subjectId, details } of entries) {
      expect([actorKind, actorId, subjectId]).to.deep.equal(['nobody', null, person.userId]);
      expect(details).to.deep.equal({ browser: 'Firefox on Windows' });
    }
  });

  it('stay counted after a right one, which makes no room for more', async () => {
    const address = newAddress();
    expect(await codes(2, () => signIn(address, 'wrong'))).to.deep.equal(wrong(2));
    expect(codeOf(await signIn(address))).to.equal(undefined);
    expect(codeOf(await signIn(address, 'wrong'))).to.equal('invalid_credentials');
    expect(codeOf(await signIn(address))).to.equal('rate_limited');
  });
});

describe('a browser that signs in', () => {
  const world = useWorld(MANY_PEOPLE);

  const signInWith = ({ email }: SignedIn, cookies: string) =>
    graphql(world.origin, SIGN_IN, { input: { email, password: PASSWORD } }, cookies, { 'User-Agent': FIREFOX });
  const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);
  const signInsOf = async (person: SignedIn) => {
    const where = { teamId: await teamOf(person), action: 'account.signed_in' };
    return AuditEntry.findAll({ where, order: [['id', 'ASC']] });
  };

  it('is told to the person once, and noted each time', async () => {
    const person = await newPerson(world);
    const first = await signInWith(person, '');
    const second = await signInWith(person, first.cookies);
    expect([codeOf(first), codeOf(second)]).to.deep.equal([undefined, undefined]);
    expect(await kindsTo(person.email)).to.deep.equal(['new_browser']);
    const [mail] = await mailsTo(person.email);
    expect(mail?.text).to.include('Firefox on Windows');
    expect((await signInsOf(person)).map(({ details }) => details)).to.deep.equal([
      { browser: 'Firefox on Windows', new_browser: true },
      { browser: 'Firefox on Windows', new_browser: false },
    ]);
  });

  it('is mailed five times a day at most', async () => {
    const person = await newPerson(world);
    for (let time = 0; time < 7; time += 1) await signInWith(person, '');
    expect(await kindsTo(person.email)).to.have.length(5);
  });

  it('keeps a cookie that scripts do not see and that names no account; each account is known by its own', async () => {
    const [ada, bob] = [await newPerson(world), await newPerson(world)];
    const { setCookie, cookies } = await signInWith(ada, '');
    expect(setCookie).to.match(/known=[0-9a-z]+-[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly/i);
    const [, known = ''] = /known=([^;]+)/.exec(cookies) ?? [];
    for (const secret of [ada.userId, ada.email]) {
      expect(known).to.not.include(secret);
      expect(Buffer.from(known, 'base64url').toString('latin1')).to.not.include(secret);
    }
    const both = await signInWith(bob, cookies);
    expect(await kindsTo(bob.email), 'known to Ada alone').to.deep.equal(['new_browser']);
    await signInWith(ada, both.cookies);
    await signInWith(bob, both.cookies);
    expect([await kindsTo(ada.email), await kindsTo(bob.email)]).to.deep.equal([['new_browser'], ['new_browser']]);
  });

  it('is unknown with a cookie that is old, forged, or from before the password was changed', async () => {
    const person = await newPerson(world);
    const { cookies } = await signInWith(person, '');
    const forged = cookies.replace(/(known=[^;]*)[^;](;|$)/, (_, begin, end) => `${begin}_${end}`);
    for (const cookie of ['known=', 'known=x', `known=${'a-'.repeat(3000)}`, 'known=0-', forged]) {
      const reply = await signInWith(person, cookie);
      expect(codeOf(reply), cookie.slice(0, 20)).to.equal(undefined);
    }
    expect(await kindsTo(person.email)).to.have.length(5);
    const other = await newPerson(world);
    const before = await signInWith(other, '');
    const changed = await graphql(world.origin, CHANGE, { currentPassword: PASSWORD, password: NEXT }, before.cookies);
    const input = { email: other.email, password: NEXT };
    await graphql(world.origin, SIGN_IN, { input }, changed.cookies);
    expect(await kindsTo(other.email)).to.deep.equal(['new_browser', 'password_changed']);
    await graphql(world.origin, SIGN_IN, { input }, before.cookies);
    expect(await kindsTo(other.email)).to.deep.equal(['new_browser', 'password_changed', 'new_browser']);
  });

  it('is forgotten after KNOWN_BROWSER_DAYS', async () => {
    const person = await newPerson(world);
    const time = stopClock();
    const { cookies } = await signInWith(person, '');
    time.move(179 * 86_400);
    await signInWith(person, cookies);
    expect(await kindsTo(person.email)).to.have.length(1);
    time.move(2 * 86_400);
    await signInWith(person, cookies);
    expect(await kindsTo(person.email)).to.have.length(2);
  });
});

describe('the session cookie under https', () => {
  const world = useOwnWorld({ BASE_URL: 'https://127.0.0.1' });

  it('is bound to the host and sent over https alone', async () => {
    const { email, password } = world;
    const { setCookie, cookie } = await graphql(world.origin, SIGN_IN, { input: { email, password } });
    expect(setCookie)
      .to.match(/^__Host-session=/)
      .and.match(/; path=\//i)
      .and.match(/; secure/i)
      .and.match(/; httponly/i);
    expect(setCookie).to.not.match(/domain=/i);
    expect(setCookie).to.match(/__Host-known=[^;]+; path=\/; [^,]+, [^;]+; samesite=lax; secure; httponly/i);
    expect((await graphql(world.origin, '{ me { email } }', {}, cookie)).data.me.email).to.equal(email);
  });

  it('is kept from plain http by Strict-Transport-Security', async () => {
    const answer = await fetch(`${world.origin}/graphql`, { headers: { Host: '127.0.0.1' } });
    expect(answer.headers.get('strict-transport-security')).to.equal('max-age=31536000');
  });
});
