// stores: any
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { Session } from '../../../src/models/Session.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import { codeOf, MANY_PEOPLE, newPerson, newSession, PASSWORD, type SignedIn } from '../../support/people.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

const LIST =
  'query ($limit: Int, $cursor: String) { sessions(limit: $limit, cursor: $cursor) { data { id userAgent isCurrent createdAt lastUsedAt expiresAt } nextCursor } }';
const END = 'mutation ($id: ID!) { endSession(id: $id) }';
const EVERYWHERE = 'mutation ($all: Boolean) { signOutEverywhere(isThisToo: $all) }';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

describe('sessions', () => {
  const world = useWorld(MANY_PEOPLE);
  let person: SignedIn;

  beforeEach(async () => {
    person = await newPerson(world);
  });
  afterEach(() => clock.reset());

  const isOpen = async ({ ask }: SignedIn) => (await ask('{ me { id } }')).data.me !== null;
  const hashOf = ({ cookie }: SignedIn) => sha256(cookie.split('=')[1] as string);
  const rowOf = (session: SignedIn) => Session.findByPk(hashOf(session), { rejectOnEmpty: true });
  const listOf = async ({ ask }: SignedIn) => (await ask(LIST)).data.sessions.data;

  it('are listed with browser and times, and say which one asks', async () => {
    const response = await fetch(`${world.origin}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': FIREFOX },
      body: JSON.stringify({
        query: 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }',
        variables: { input: { email: person.email, password: PASSWORD } },
      }),
    });
    const cookie = response.headers.get('set-cookie')?.split(';')[0];
    const [mine, theirs, ...more] = (await graphql(world.origin, LIST, {}, cookie)).data.sessions.data;
    expect(more).to.deep.equal([]);
    expect(mine).to.include({ userAgent: 'Firefox on Windows', isCurrent: true });
    expect(theirs).to.include({ isCurrent: false });
    expect(mine.id).to.not.equal(theirs.id);
    expect(Date.parse(mine.expiresAt) - Date.parse(mine.createdAt)).to.equal(14 * 86_400_000);
    const rows = await Session.findAll({ where: { userId: person.userId } });
    expect(JSON.stringify(rows)).to.not.include('127.0.0.1').and.not.include('Gecko');
    for (const { tokenHash } of rows) expect([mine.id, theirs.id].join()).to.not.include(tokenHash.slice(0, 16));
  });

  it('are listed page by page', async () => {
    const others = [await newSession(world, { email: person.email }), await newSession(world, { email: person.email })];
    const walked = [];
    for (let cursor: string | null = null; ; ) {
      const { sessions }: GraphqlReply['data'] = (await person.ask(LIST, { limit: 1, cursor })).data;
      walked.push(...sessions.data);
      cursor = sessions.nextCursor;
      if (cursor === null) break;
    }
    expect(walked.map(({ isCurrent }) => isCurrent)).to.have.members([true, false, false]);
    expect(new Set(walked.map(({ id }) => id))).to.have.property('size', others.length + 1);
  });

  it('know to a minute when they were used last, written once a minute at most', async () => {
    const time = stopClock();
    const session = await newSession(world, { email: person.email });
    const began = time.nowMs;
    const usedAt = async () => (await rowOf(session)).lastUsedAt?.getTime();
    expect(await usedAt()).to.equal(began);
    time.move(59);
    await isOpen(session);
    expect(await usedAt()).to.equal(began);
    time.move(2);
    await Promise.all([1, 2, 3, 4].map(() => isOpen(session)));
    await until(async () => (await usedAt()) === time.nowMs, 'the use of the session');
    time.move(-86_400);
    await isOpen(session);
    await until(async () => (await usedAt()) === time.nowMs, 'a clock that was set back');
    const [listed] = (await session.ask(LIST)).data.sessions.data.filter(
      ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
    );
    expect(Date.parse(listed.lastUsedAt)).to.equal(time.nowMs);
  });

  it('end one by one, by their id', async () => {
    const other = await newSession(world, { email: person.email });
    const [theirs] = (await listOf(person)).filter(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    const ended = await person.ask(END, { id: theirs.id });
    expect([ended.data.endSession, ended.setCookie]).to.deep.equal([true, null]);
    expect([await isOpen(other), await isOpen(person)]).to.deep.equal([false, true]);
    expect(codeOf(await person.ask(END, { id: theirs.id }))).to.equal('not_found');
    const [mine] = await listOf(person);
    expect((await person.ask(END, { id: mine.id })).setCookie).to.match(/^session=;/);
    expect(await isOpen(person)).to.equal(false);
  });

  it('of others cannot be ended', async () => {
    const other = await newPerson(world);
    const [theirs] = await listOf(other);
    expect(codeOf(await person.ask(END, { id: theirs.id }))).to.equal('not_found');
    expect(await isOpen(other)).to.equal(true);
    expect(codeOf(await graphql(world.origin, END, { id: theirs.id }))).to.equal('not_signed_in');
  });

  it('end everywhere else, or everywhere', async () => {
    const others = [await newSession(world, { email: person.email }), await newSession(world, { email: person.email })];
    const stranger = await newPerson(world);
    expect((await person.ask(EVERYWHERE)).setCookie).to.equal(null);
    expect([await isOpen(person), ...(await Promise.all(others.map(isOpen)))]).to.deep.equal([true, false, false]);
    const all = await person.ask(EVERYWHERE, { all: true });
    expect(all.setCookie).to.match(/^session=;/);
    expect([await isOpen(person), await isOpen(stranger)]).to.deep.equal([false, true]);
  });

  it('have a new token at each sign-in, whatever cookie the browser brought', async () => {
    const cookie = `session=${'x'.repeat(43)}`;
    const sign = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
    const input = { email: person.email, password: PASSWORD };
    const reply = await graphql(world.origin, sign, { input }, cookie);
    expect(reply.cookie)
      .to.match(/^session=[\w-]{43}$/)
      .and.not.equal(cookie);
    expect((await graphql(world.origin, '{ me { id } }', {}, cookie)).data.me).to.equal(null);
    expect((await graphql(world.origin, sign, { input }, person.cookie)).cookie).to.not.equal(person.cookie);
  });

  it('are a hundred of a person at most: the oldest ends', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    const rows = Array.from({ length: 120 }, (_, at) => ({
      tokenHash: sha256(`${person.userId} ${at}`),
      userId: person.userId,
      expiresAt,
      createdAt: new Date(Date.now() - 1_000_000 + at),
    }));
    await inTransaction((transaction) => Session.bulkCreate(rows, { transaction }));
    await newSession(world, { email: person.email });
    const left = await Session.findAll({ where: { userId: person.userId }, order: [['createdAt', 'ASC']] });
    expect(left).to.have.length(100);
    expect(left[0]?.tokenHash).to.equal(rows[22]?.tokenHash);
    expect(await isOpen(person)).to.equal(true);
  });
});
