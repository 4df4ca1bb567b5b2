// stores: any
import { expect } from 'chai';
import { resetOwner, resetSecondFactor } from '../../../src/accounts/operatorResets.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { AuditEntry } from '../../../src/models/AuditEntry.ts';
import { RecoveryCode } from '../../../src/models/RecoveryCode.ts';
import { User } from '../../../src/models/User.ts';
import {
  codeFor,
  codeOf,
  MANY_PEOPLE,
  mailsTo,
  newPerson,
  newSession,
  PASSWORD,
  type SignedIn,
  teamOf,
  theOwner,
  trySignIn,
} from '../../support/people.ts';
import { rowsWith } from '../../support/rowsWith.ts';
import { type StoppedClock, stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

const BEGIN = 'mutation ($password: String!) { beginSecondFactor(password: $password) { secret uri } }';
const CONFIRM = 'mutation ($code: String!) { confirmSecondFactor(code: $code) }';
const DISABLE =
  'mutation ($password: String!, $code: String!) { disableSecondFactor(password: $password, code: $code) }';
const RENEW = 'mutation ($password: String!, $code: String!) { newRecoveryCodes(password: $password, code: $code) }';
const ME = '{ me { secondFactor recoveryCodesLeft } }';

interface Protected extends SignedIn {
  secret: string;
  codes: string[];
}

describe('the second factor', () => {
  const world = useOwnWorld(MANY_PEOPLE);
  let time: StoppedClock;

  beforeEach(() => {
    time = stopClock();
  });
  afterEach(() => clock.reset());

  const begin = async ({ ask }: SignedIn) => (await ask(BEGIN, { password: PASSWORD })).data.beginSecondFactor;
  /** Somebody with an app and recovery codes; the step of the first code has gone by. */
  const protectedPerson = async (): Promise<Protected> => {
    const person = await newPerson(world);
    const { secret } = await begin(person);
    const { data } = await person.ask(CONFIRM, { code: codeFor(secret) });
    time.move(30);
    return { ...person, secret, codes: data.confirmSecondFactor };
  };
  const signIn = async ({ email }: SignedIn, code?: string) => codeOf(await trySignIn(world, { email, code }));
  const meOf = async ({ ask }: SignedIn) => (await ask(ME)).data.me;

  it('is set up with an app, and asked for from then on', async () => {
    const person = await newPerson(world);
    const { secret, uri } = await begin(person);
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    const url = new URL(uri);
    expect(url.protocol).to.equal('otpauth:');
    expect(url.searchParams.get('issuer')).to.match(/^localhost:\d+$/);
    expect(decodeURIComponent(url.pathname)).to.include(person.email);
    expect(url.searchParams.get('secret')).to.equal(secret);
    expect(await signIn(person), 'not confirmed yet').to.equal(undefined);
    expect(codeOf(await person.ask(CONFIRM, { code: '000000' }))).to.equal('invalid_credentials');
    expect(await meOf(person)).to.deep.equal({ secondFactor: false, recoveryCodesLeft: 0 });
    const { data } = await person.ask(CONFIRM, { code: codeFor(secret) });
    expect(data.confirmSecondFactor).to.have.length(10);
    expect(new Set(data.confirmSecondFactor)).to.have.property('size', 10);
    for (const code of data.confirmSecondFactor)
      expect(code).to.match(/^[0-9A-HJKMNP-TV-Z]{10}-[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(await meOf(person)).to.deep.equal({ secondFactor: true, recoveryCodesLeft: 10 });
    expect(await signIn(person)).to.equal('second_factor_required');
  });

  it('ends every other session when it is switched on, and none by a wrong code', async () => {
    const person = await newPerson(world);
    const other = await newSession(world, { email: person.email });
    const stranger = await newPerson(world);
    const { secret } = await begin(person);
    await person.ask(CONFIRM, { code: '000000' });
    expect(await meOf(other)).to.not.equal(null);
    await person.ask(CONFIRM, { code: codeFor(secret) });
    expect([await meOf(other), (await meOf(person)).secondFactor]).to.deep.equal([null, true]);
    expect(await meOf(stranger)).to.not.equal(null);
  });

  it('whose codes are wrong at a sign-in leaves a note of that', async () => {
    const person = await protectedPerson();
    expect(await signIn(person, '000000')).to.equal('invalid_credentials');
    const where = { teamId: await teamOf(person), action: 'account.second_factor_failed' };
    const entry = await until(() => AuditEntry.findOne({ where }), 'the note');
    expect([entry.actorKind, entry.subjectId]).to.deep.equal(['nobody', person.userId]);
  });

  it('keeps neither secret nor recovery codes as they are', async () => {
    const { secret, codes } = await protectedPerson();
    const [code = ''] = codes;
    expect(await rowsWith(secret, code, code.replace('-', ''))).to.deep.equal({});
  });

  it('takes the code that is shown, the one before and the one after, and no others', async () => {
    const person = await protectedPerson();
    time.move(600);
    const CODES: [steps: number, code: string | undefined][] = [
      [-2, 'invalid_credentials'],
      [2, 'invalid_credentials'],
      [-1, undefined],
      [0, undefined],
      [1, undefined],
    ];
    for (const [steps, code] of CODES) {
      expect(await signIn(person, codeFor(person.secret, steps)), String(steps)).to.equal(code);
    }
    time.move(90);
    expect(await signIn(person, ` ${codeFor(person.secret).replace(/(...)/, '$1 ')} `)).to.equal(undefined);
  });

  it('takes each code once, also of two at once, and none that is older than the last', async () => {
    const person = await protectedPerson();
    time.move(600);
    const code = codeFor(person.secret);
    const both = await Promise.all([signIn(person, code), signIn(person, code)]);
    expect(both).to.have.members([undefined, 'invalid_credentials']);
    expect(await signIn(person, code)).to.equal('invalid_credentials');
    expect(await signIn(person, codeFor(person.secret, -1))).to.equal('invalid_credentials');
    time.move(30);
    expect(await signIn(person, codeFor(person.secret))).to.equal(undefined);
  });

  it('does not take the code again that switched it on', async () => {
    const person = await newPerson(world);
    const { secret } = await begin(person);
    const code = codeFor(secret);
    await person.ask(CONFIRM, { code });
    expect(await signIn(person, code)).to.equal('invalid_credentials');
  });

  it('goes on when the clock is set back', async () => {
    const person = await protectedPerson();
    time.move(86_400);
    expect(await signIn(person, codeFor(person.secret))).to.equal(undefined);
    time.move(-86_400);
    const code = codeFor(person.secret);
    expect(await signIn(person, code)).to.equal(undefined);
    expect(await signIn(person, code)).to.equal('invalid_credentials');
  });

  it('is asked for before a wrong password is told from a right one by nothing else', async () => {
    const person = await protectedPerson();
    const wrong = { email: person.email, password: 'wrong', code: codeFor(person.secret) };
    expect(codeOf(await trySignIn(world, wrong))).to.equal('invalid_credentials');
    expect(await signIn(person, wrong.code), 'it was not used up').to.equal(undefined);
  });

  it('lets recovery codes stand in, each once, and tells the person', async () => {
    const person = await protectedPerson();
    const [first = '', second = ''] = person.codes;
    const sloppy = ` ${first.toLowerCase().replace('-', ' ')} `;
    expect((await Promise.all([signIn(person, sloppy), signIn(person, first)])).sort()).to.deep.equal([
      'invalid_credentials',
      undefined,
    ]);
    expect(await signIn(person, first)).to.equal('invalid_credentials');
    expect(await meOf(person)).to.deep.equal({ secondFactor: true, recoveryCodesLeft: 9 });
    expect(await signIn(person, second)).to.equal(undefined);
    const other = await protectedPerson();
    expect(await signIn(other, person.codes[2]), 'of somebody else').to.equal('invalid_credentials');
    const kinds = (await mailsTo(person.email)).map(({ kind }) => kind).filter((kind) => kind !== 'new_browser');
    expect(kinds).to.deep.equal(['second_factor_on', 'recovery_code_used', 'recovery_code_used']);
  });

  it('is switched off with password and code, after which the password is enough', async () => {
    const person = await protectedPerson();
    const code = codeFor(person.secret);
    expect(codeOf(await person.ask(DISABLE, { password: 'wrong', code }))).to.equal('invalid_credentials');
    expect(codeOf(await person.ask(DISABLE, { password: PASSWORD, code: '000000' }))).to.equal('invalid_credentials');
    expect((await person.ask(DISABLE, { password: PASSWORD, code })).data.disableSecondFactor).to.equal(true);
    expect(await meOf(person)).to.deep.equal({ secondFactor: false, recoveryCodesLeft: 0 });
    expect(await signIn(person)).to.equal(undefined);
    expect(await signIn(person, 'whatever')).to.equal(undefined);
    expect(await RecoveryCode.count({ where: { userId: person.userId } })).to.equal(0);
    expect(codeOf(await person.ask(DISABLE, { password: PASSWORD, code }))).to.equal('conflict');
    const kinds = (await mailsTo(person.email)).map(({ kind }) => kind).filter((kind) => kind !== 'new_browser');
    expect(kinds.at(-1)).to.equal('second_factor_off');
    const again = await begin(person);
    expect(again.secret).to.not.equal(person.secret);
  });

  it('gives new recovery codes, which void the old ones', async () => {
    const person = await protectedPerson();
    const { data } = await person.ask(RENEW, { password: PASSWORD, code: person.codes[0] });
    expect(data.newRecoveryCodes).to.have.length(10);
    expect(await signIn(person, person.codes[1])).to.equal('invalid_credentials');
    expect(await signIn(person, data.newRecoveryCodes[0])).to.equal(undefined);
    const stored = await RecoveryCode.findAll({ where: { userId: person.userId } });
    expect(stored.map(({ codeHash }) => codeHash)).to.include(sha256(data.newRecoveryCodes[1].replace('-', '')));
    const plain = await newPerson(world);
    expect(codeOf(await plain.ask(RENEW, { password: PASSWORD, code: '123456' }))).to.equal('conflict');
  });

  it('is not set up anew while it is on, nor confirmed twice', async () => {
    const person = await newPerson(world);
    expect(codeOf(await person.ask(CONFIRM, { code: '123456' }))).to.equal('conflict');
    expect(codeOf(await person.ask(BEGIN, { password: 'wrong' }))).to.equal('invalid_credentials');
    await begin(person);
    const { secret } = await begin(person);
    const code = codeFor(secret);
    const both = await Promise.all([person.ask(CONFIRM, { code }), person.ask(CONFIRM, { code })]);
    expect(both.map(codeOf)).to.have.members([undefined, 'conflict']);
    expect(await RecoveryCode.count({ where: { userId: person.userId } })).to.equal(10);
    expect(codeOf(await person.ask(BEGIN, { password: PASSWORD }))).to.equal('conflict');
  });

  it('is switched off by the operator for who lost app and codes, and for the owner with a new password', async () => {
    const person = await protectedPerson();
    expect(await resetSecondFactor(person.email.toUpperCase())).to.deep.equal({ wasOn: true });
    expect(await signIn(person)).to.equal(undefined);
    expect(await resetSecondFactor(person.email)).to.deep.equal({ wasOn: false });
    const where = { subjectId: person.userId, action: 'account.second_factor_off' };
    expect((await AuditEntry.findOne({ where }))?.actorKind).to.equal('operator');
    const owner = await theOwner(world);
    const { data } = await owner.ask(BEGIN, { password: world.password });
    await owner.ask(CONFIRM, { code: codeFor(data.beginSecondFactor.secret) });
    const { email, password } = await resetOwner();
    expect(email).to.equal(owner.email);
    expect((await owner.ask(ME)).data.me, 'signed out').to.equal(null);
    expect(codeOf(await trySignIn(world, { email, password }))).to.equal(undefined);
  });

  it('is noted in the teams of the person, and shown there to owners', async () => {
    const person = await protectedPerson();
    const teamId = await teamOf(person);
    const entries = await AuditEntry.findAll({ where: { teamId, subjectId: person.userId } });
    expect(entries.map(({ action }) => action)).to.deep.equal(['account.second_factor_on']);
    const { data } = await person.ask('query ($id: ID!) { members(teamId: $id) { data { secondFactor } } }', {
      id: teamId,
    });
    expect(data.members.data).to.deep.equal([{ secondFactor: true }]);
  });
});

describe('guessing codes', () => {
  const world = useOwnWorld({ ...MANY_PEOPLE, SIGN_IN_ATTEMPTS: '6', SECOND_FACTOR_ATTEMPTS: '4' });

  it('is refused after SECOND_FACTOR_ATTEMPTS, also for the right one; asking which is wanted is no guess', async () => {
    const person = await newPerson(world);
    const { secret } = (await person.ask(BEGIN, { password: PASSWORD })).data.beginSecondFactor;
    await person.ask(CONFIRM, { code: codeFor(secret) });
    const signIn = async (code?: string) => codeOf(await trySignIn(world, { email: person.email, code }));
    for (let time = 0; time < 10; time += 1) expect(await signIn()).to.equal('second_factor_required');
    const { totpStep } = await User.findByPk(person.userId, { rejectOnEmpty: true });
    const guesses = await Promise.all(['111111', '222222', '333333', '444444'].map((code) => signIn(code)));
    expect(new Set(guesses)).to.deep.equal(new Set(['invalid_credentials']));
    expect(await signIn(codeFor(secret, 1))).to.equal('rate_limited');
    expect((await User.findByPk(person.userId))?.totpStep).to.equal(totpStep);
    const disable = await person.ask(DISABLE, { password: PASSWORD, code: codeFor(secret, 1) });
    expect(codeOf(disable)).to.equal('rate_limited');
  });
});
