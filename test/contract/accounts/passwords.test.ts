// stores: any
import { expect } from 'chai';
import { createResetLink } from '../../../src/accounts/operatorResets.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { log } from '../../../src/kernel/log.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { PasswordReset } from '../../../src/models/PasswordReset.ts';
import { User } from '../../../src/models/User.ts';
import { graphql } from '../../support/graphql.ts';
import {
  codeOf,
  MANY_PEOPLE,
  mailsTo,
  newEmail,
  newPerson,
  newSession,
  PASSWORD,
  type SignedIn,
  tokenIn,
  trySignIn,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { startWorld, useWorld, type World } from '../../support/world.ts';

const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }';
const RESET = 'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) }';
const CHANGE =
  'mutation ($currentPassword: String!, $password: String!) { changePassword(currentPassword: $currentPassword, password: $password) }';
const NEXT = 'a quite different password';

const isOpen = async ({ ask }: SignedIn) => (await ask('{ me { id } }')).data.me !== null;
const noticesTo = async (address: string) =>
  (await mailsTo(address)).map(({ kind }) => kind).filter((kind) => !['password_reset', 'new_browser'].includes(kind));

describe('a new password by mail', () => {
  const world = useWorld(MANY_PEOPLE);
  let person: SignedIn;

  beforeEach(async () => {
    person = await newPerson(world);
  });
  afterEach(() => clock.reset());

  const ask = (query: string, variables: Record<string, unknown>) => graphql(world.origin, query, variables);
  /** Asks for a link and gives the token of the newest one. */
  const tokenFor = async (email: string) => {
    const before = (await mailsTo(email)).length;
    expect((await ask(REQUEST, { email: ` ${email.toUpperCase()} ` })).data.requestPasswordReset).to.equal(true);
    const mails = await until(async () => {
      const all = await mailsTo(email);
      return all.length > before ? all : null;
    }, 'the mail');
    return tokenIn(mails.at(-1)?.text ?? '');
  };
  const reset = (token: string, password = NEXT) => ask(RESET, { token, password });

  it('is set with the token, once; every session ends, and the person is told', async () => {
    const other = await newSession(world, { email: person.email });
    const token = await tokenFor(person.email);
    expect(token).to.have.length.of.at.least(40);
    expect(await rowsWith(token)).to.deep.equal({});
    const reply = await reset(token);
    expect([reply.data.resetPassword, reply.setCookie]).to.deep.equal([true, null]);
    expect([await isOpen(person), await isOpen(other)]).to.deep.equal([false, false]);
    expect(codeOf(await trySignIn(world, { email: person.email }))).to.equal('invalid_credentials');
    expect(codeOf(await trySignIn(world, { email: person.email, password: NEXT }))).to.equal(undefined);
    expect(codeOf(await reset(token)), 'a second time').to.equal('invalid_token');
    expect(await noticesTo(person.email)).to.deep.equal(['password_changed']);
    const { action, actorId } = await AuditEntry.findOne({
      where: { subjectId: person.userId, action: 'account.password_reset' },
      rejectOnEmpty: true,
    });
    expect([action, actorId]).to.deep.equal(['account.password_reset', person.userId]);
  });

  it('is asked for in the same words whether there is an account or not', async () => {
    const known = await ask(REQUEST, { email: person.email });
    const unknown = await ask(REQUEST, { email: newEmail() });
    const { cookie: _, ...bare } = known;
    expect(unknown).to.deep.include(bare);
    await until(async () => (await mailsTo(person.email)).length === 1, 'the mail');
    expect(await PasswordReset.count({ where: { userId: person.userId } })).to.equal(1);
  });

  it('is set by one of two at once, with the tokens of all mails void afterwards', async () => {
    const [first, second] = [await tokenFor(person.email), await tokenFor(person.email)];
    const replies = await Promise.all([reset(first), reset(first), reset(second, `${NEXT} too`)]);
    expect(replies.map(codeOf).filter((code) => code === undefined)).to.have.length(1);
    for (const token of [first, second]) expect(codeOf(await reset(token))).to.equal('invalid_token');
    expect(await PasswordReset.count({ where: { userId: person.userId } })).to.equal(0);
  });

  it('has to be set within PASSWORD_RESET_SECONDS', async () => {
    const time = stopClock();
    const [early, late] = [await tokenFor(person.email), await tokenFor(person.email)];
    time.move(3601);
    expect(codeOf(await reset(late))).to.equal('invalid_token');
    time.move(-62);
    expect(codeOf(await reset(early))).to.equal(undefined);
  });

  it('must be a good one, and the token stays good until it is', async () => {
    const token = await tokenFor(person.email);
    for (const password of ['short', 'password123', person.email]) {
      expect(codeOf(await reset(token, password)), password).to.equal('validation_failed');
    }
    expect(codeOf(await reset('nonsense'))).to.equal('invalid_token');
    expect(codeOf(await reset(token))).to.equal(undefined);
  });

  it('is void once the password was changed otherwise', async () => {
    const token = await tokenFor(person.email);
    await person.ask(CHANGE, { currentPassword: PASSWORD, password: NEXT });
    expect(codeOf(await reset(token))).to.equal('invalid_token');
  });
});

describe('asking for a new password too often', () => {
  let world: World;
  const { warn } = log;
  const warnings: string[] = [];
  before(async () => {
    world = await startWorld({ PASSWORD_RESETS_PER_HOUR: '2' });
    log.warn = (line: unknown) => warnings.push(String(line));
  });
  after(() => {
    log.warn = warn;
    return world.stop();
  });

  it('is refused for an e-mail and from an address, whether there is an account or not', async () => {
    const ask = async (email: string) => codeOf(await graphql(world.origin, REQUEST, { email }));
    for (const email of [world.email, newEmail()]) {
      expect([await ask(email), await ask(email), await ask(email)]).to.deep.equal([
        undefined,
        undefined,
        'rate_limited',
      ]);
    }
    for (let time = 0; time < 4; time += 1) expect(await ask(newEmail())).to.equal(undefined);
    expect(await ask(newEmail()), 'ten from one address').to.equal('rate_limited');
  });

  it('makes no link where no mail is set: the log tells the operator for whom, by the id', async () => {
    expect(await PasswordReset.count()).to.equal(0);
    const { id } = await User.findOne({ where: { email: world.email }, rejectOnEmpty: true });
    await until(() => warnings.find((line) => line.includes(`reset-password ${id}`)), 'the line');
    expect(warnings.join()).to.not.include(world.email);
    expect((await createResetLink(id)).url).to.include('/reset-password#token=');
  });
});

describe('changePassword', () => {
  let world: World;
  before(async () => {
    world = await startWorld({ ...MANY_PEOPLE, SIGN_IN_ATTEMPTS: '5' });
  });
  after(() => world.stop());

  it('keeps this session, ends the others, and tells the person', async () => {
    const person = await newPerson(world);
    const other = await newSession(world, { email: person.email });
    const reply = await person.ask(CHANGE, { currentPassword: PASSWORD, password: NEXT });
    expect(reply.data.changePassword).to.equal(true);
    expect([await isOpen(person), await isOpen(other)]).to.deep.equal([true, false]);
    expect(codeOf(await trySignIn(world, { email: person.email, password: NEXT }))).to.equal(undefined);
    expect(await noticesTo(person.email)).to.deep.equal(['password_changed']);
  });

  it('lets one of two at once through', async () => {
    const person = await newPerson(world);
    const passwords = [NEXT, `${NEXT} too`];
    const replies = await Promise.all(
      passwords.map((password) => person.ask(CHANGE, { currentPassword: PASSWORD, password })),
    );
    expect(replies.map(codeOf).sort()).to.deep.equal(['invalid_credentials', undefined]);
  });

  it('refuses bad passwords and who does not know the present one, and counts those', async () => {
    const person = await newPerson(world);
    const change = (currentPassword: string, password = NEXT) => person.ask(CHANGE, { currentPassword, password });
    expect(codeOf(await change(PASSWORD, 'qwerty123'))).to.equal('validation_failed');
    expect(codeOf(await graphql(world.origin, CHANGE, { currentPassword: PASSWORD, password: NEXT }))).to.equal(
      'not_signed_in',
    );
    for (let time = 0; time < 5; time += 1) expect(codeOf(await change('wrong'))).to.equal('invalid_credentials');
    expect(codeOf(await change(PASSWORD))).to.equal('rate_limited');
    expect(codeOf(await trySignIn(world, { email: person.email })), 'signing in is counted apart').to.equal(undefined);
  });
});
