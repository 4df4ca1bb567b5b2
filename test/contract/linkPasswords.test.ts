import { expect } from 'chai';
import { purgeQuotas } from '../../src/access/quotas/purgeQuotas.ts';
import { database, dialect, select } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/inTransaction.ts';
import { selectBound } from '../../src/db/selectBound.ts';
import { clock } from '../../src/kernel/clock.ts';
import { config } from '../../src/kernel/config.ts';
import { Event } from '../../src/models/Event.ts';
import { Link } from '../../src/models/Link.ts';
import { TEXTS } from '../../src/redirect/pages/texts/texts.ts';
import { AGENTS } from '../support/agents.ts';
import { expectError } from '../support/expectError.ts';
import { graphql } from '../support/graphql.ts';
import { type RawAsk, type RawReply, rawRequest } from '../support/rawRequest.ts';
import { stopClock } from '../support/stopClock.ts';
import { firstTenant, ownerSession } from '../support/tenants.ts';
import { until } from '../support/until.ts';
import { startWorld, type World } from '../support/world.ts';

const GO = 'go.example.com';
const DESTINATION = 'https://www.example.com/secret';
const PASSWORD = 'correct horse & staple +ü';
const ATTEMPTS = 3;
const PAUSE_SECONDS = 60;
const SESSION_SECONDS = 3600;

describe('passwords of links', () => {
  let world: World;
  let addresses = 0;

  before(async () => {
    world = await startWorld({
      LINK_DOMAIN: GO,
      TRUSTED_PROXIES: '127.0.0.1',
      SCANNER_BURST_LINKS: '0',
      PASSWORD_ATTEMPTS: String(ATTEMPTS),
      PASSWORD_PAUSE_SECONDS: String(PAUSE_SECONDS),
      PASSWORD_SESSION_SECONDS: String(SESSION_SECONDS),
    });
  });
  after(() => world.stop());
  afterEach(() => clock.reset());

  const freshAddress = () => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };

  const ask = (path: string, { headers, ...more }: RawAsk = {}) =>
    rawRequest(world.origin, path, {
      host: GO,
      headers: { 'User-Agent': AGENTS.human, 'X-Forwarded-For': freshAddress(), ...headers },
      ...more,
    });

  const guess = (path: string, password: string, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: new URLSearchParams({ password }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    });

  const create = async (body: object = {}): Promise<{ id: string; slug: string }> => {
    const reply = await world.api('POST', '/links', { destination: DESTINATION, password: PASSWORD, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };

  /** What a browser sends back of a Set-Cookie header. */
  const cookieOf = ({ headers }: RawReply) => headers['set-cookie']?.split(';')[0] ?? '';
  const withCookie = (cookie: string) => ({ headers: { Cookie: cookie } });
  const passFor = async (slug: string) => cookieOf(await guess(`/${slug}`, PASSWORD));

  const clicksOf = (id: string) => select('SELECT id FROM clicks WHERE link_id = :id', { id });

  describe('at the link', () => {
    it('a form that the visitor can use', async () => {
      const { slug } = await create();
      const { status, headers, body } = await ask(`/${slug}?a=1`);
      expect([status, headers.location, headers['set-cookie']]).to.deep.equal([200, undefined, undefined]);
      // It posts to the very address, so it has no action of its own.
      expect(body).to.contain('<form method="post">').and.to.contain('<label for="password">');
      expect(body).to.match(/<input id="password" name="password" type="password"[^>]* aria-describedby="hint">/);
      expect(body).not.to.contain('role="alert"').and.not.to.contain('example.com/secret');
    });

    it('does not say form-action: Chromium would not follow the redirect to another site', async () => {
      const { slug } = await create();
      expect((await ask(`/${slug}`)).headers['content-security-policy']).not.to.contain('form-action');
      expect((await ask('/nobody')).headers['content-security-policy']).to.contain("form-action 'none'");
    });

    it('a wrong one: 403, and why', async () => {
      const { slug } = await create();
      for (const wrong of [`${PASSWORD}x`, PASSWORD.toUpperCase(), '', 'x'.repeat(201)]) {
        const reply = await guess(`/${slug}`, wrong, { 'Accept-Language': 'fr' });
        expect([reply.status, reply.headers['set-cookie']]).to.deep.equal([403, undefined]);
        expect(reply.body).to.contain(`role="alert">${TEXTS.fr.password.wrong}</p>`);
        expect(reply.body).to.contain('aria-invalid="true" aria-describedby="wrong"');
      }
    });

    it('the right one: 303 to where the link leads, with a cookie that is good for this link', async () => {
      const { id, slug } = await create();
      const reply = await guess(`/${slug}?a=1`, PASSWORD);
      expect([reply.status, reply.headers.location]).to.deep.equal([303, `${DESTINATION}?a=1`]);
      expect(reply.headers['set-cookie']).to.match(
        new RegExp(`^svc_${id}=[0-9a-z]+\\.[\\w-]{43}; Path=/${slug}; Max-Age=3600; HttpOnly; SameSite=Lax$`),
      );
      for (const method of ['GET', 'HEAD', 'POST']) {
        const next = await ask(`/${slug}`, { method, headers: { Cookie: `a=b; ${cookieOf(reply)}; c=d` } });
        expect([next.status, next.headers.location]).to.deep.equal([302, DESTINATION]);
      }
    });

    it('is remembered by Secure cookies under https', async () => {
      const { slug } = await create();
      const { baseUrl } = config;
      config.baseUrl = 'https://base.example.com';
      try {
        expect((await guess(`/${slug}`, PASSWORD)).headers['set-cookie']).to.match(/; SameSite=Lax; Secure$/);
      } finally {
        config.baseUrl = baseUrl;
      }
    });

    it('the same letter in another form is the same letter', async () => {
      const { slug } = await create({ password: 'caf\u00e9' });
      expect((await guess(`/${slug}`, 'cafe\u0301')).status).to.equal(303);
    });

    it('is asked again of cookies of another link, made up or over', async () => {
      const { id, slug } = await create();
      const other = await create();
      const time = stopClock();
      const [pass, foreign] = [await passFor(slug), await passFor(other.slug)];
      const [, value = ''] = pass.split('=');
      const [end = '', mac = ''] = value.split('.');
      const later = (Number.parseInt(end, 36) + 1000).toString(36);
      const bad = [
        foreign,
        foreign.replace(other.id, id),
        `svc_${id}=${later}.${mac}`,
        `svc_${id}=${end}.${mac.slice(0, -2)}`,
        `svc_${id}=${end}.`,
        `svc_${id}=`,
        `svc_${id}`,
        `svc_${id}=Infinity.${mac}`,
        pass.replace(id, other.id),
      ];
      for (const cookie of bad) expect((await ask(`/${slug}`, withCookie(cookie))).status, cookie).to.equal(200);
      time.move(SESSION_SECONDS - 1);
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(302);
      time.move(1);
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(200);
    });

    it('another password ends what was remembered, and none lets everybody through', async () => {
      const { id, slug } = await create();
      const pass = await passFor(slug);
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(302);
      await world.api('PATCH', `/links/${id}`, { password: 'another' });
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(200);
      expect((await guess(`/${slug}`, PASSWORD)).status).to.equal(403);
      expect((await guess(`/${slug}`, 'another')).status).to.equal(303);
      // The same once more is hashed anew.
      const again = cookieOf(await guess(`/${slug}`, 'another'));
      await world.api('PATCH', `/links/${id}`, { title: 'Not the password' });
      expect((await ask(`/${slug}`, withCookie(again))).status).to.equal(302);
      await world.api('PATCH', `/links/${id}`, { password: null });
      expect((await ask(`/${slug}`)).headers.location).to.equal(DESTINATION);
    });

    it('counts the click, not the form and not the guesses', async () => {
      const { id, slug } = await create();
      await ask(`/${slug}`);
      await ask(`/${slug}`, { method: 'HEAD' });
      await guess(`/${slug}`, 'wrong');
      const pass = await passFor(slug);
      await until(async () => (await clicksOf(id)).length, 'the click');
      expect(await clicksOf(id)).to.have.length(1);
      await ask(`/${slug}`, withCookie(pass));
      await until(async () => (await clicksOf(id)).length === 2, 'the second click');
    });

    it('a POST to a link without one is like a GET', async () => {
      const { slug } = await create({ password: null });
      const reply = await guess(`/${slug}`, 'anything');
      expect([reply.status, reply.headers.location]).to.deep.equal([302, DESTINATION]);
    });

    it('a form beyond its bound: 413', async () => {
      const { slug } = await create();
      expect((await guess(`/${slug}`, 'x'.repeat(100_000))).status).to.equal(413);
    });
  });

  describe('too many wrong ones', () => {
    const wait = (reply: RawReply) => Number(reply.headers['retry-after']);

    it('for one link from one address: 429, for others nothing changes', async () => {
      const [{ slug }, other] = [await create(), await create()];
      const mine = { 'X-Forwarded-For': freshAddress() };
      for (let count = 0; count < ATTEMPTS; count += 1) {
        // Right ones, and what can be none, use up nothing.
        expect((await guess(`/${slug}`, PASSWORD, mine)).status).to.equal(303);
        expect((await guess(`/${slug}`, '', mine)).status).to.equal(403);
        expect((await guess(`/${slug}`, 'wrong', mine)).status).to.equal(403);
      }
      for (const given of ['wrong', PASSWORD]) {
        const reply = await guess(`/${slug}`, given, { ...mine, 'Accept-Language': 'en' });
        expect([reply.status, reply.headers.location, reply.headers['set-cookie']]).to.deep.equal([
          429,
          undefined,
          undefined,
        ]);
        expect(wait(reply)).to.be.within(PAUSE_SECONDS - 20, PAUSE_SECONDS);
        expect(reply.body).to.contain(TEXTS.en.throttled.title).and.to.contain(TEXTS.en.throttled.text(1));
      }
      expect((await guess(`/${slug}`, PASSWORD)).status).to.equal(303);
      expect((await guess(`/${other.slug}`, PASSWORD, mine)).status).to.equal(303);
      expect((await ask(`/${slug}`, { headers: mine })).status).to.equal(200);
    });

    it('are counted also when they are sent at once, and for a whole network of IPv6', async () => {
      const { slug } = await create();
      const statuses = await Promise.all(
        Array.from({ length: 4 * ATTEMPTS }, async (_, at) => {
          const { status } = await guess(`/${slug}`, `wrong ${at}`, { 'X-Forwarded-For': `2001:db8::${at}` });
          return status;
        }),
      );
      expect(statuses.filter((status) => status === 403)).to.have.length(ATTEMPTS);
      expect(statuses.filter((status) => status === 429)).to.have.length(3 * ATTEMPTS);
    });

    it('for one link from everywhere: ten times as many', async () => {
      const [{ slug }, other] = [await create(), await create()];
      const path = `/${slug}`;
      const pass = await passFor(slug);
      for (let count = 0; count < 10 * ATTEMPTS; count += 1) expect((await guess(path, 'wrong')).status).to.equal(403);
      const reply = await guess(path, PASSWORD);
      expect(reply.status).to.equal(429);
      expect(wait(reply)).to.be.within(1, PAUSE_SECONDS);
      expect((await ask(path, withCookie(pass))).status).to.equal(302);
      expect((await guess(`/${other.slug}`, PASSWORD)).status).to.equal(303);
    });

    it('leave no address in the store', async () => {
      if (dialect() === 'sqlite') return;
      const keys = await select<{ key: string }>("SELECT key FROM rate_limits WHERE key LIKE 'link_password%'");
      expect(keys.length).to.be.above(5);
      expect(keys.filter(({ key }) => /198\.51|2001|db8/.test(key))).to.deep.equal([]);
    });
  });

  it('counts of windows that are over are deleted, the others stay', async () => {
    const insert = 'INSERT INTO rate_limits (key, points, expire) VALUES ($1, 1, $2) RETURNING key';
    const left = () => select("SELECT key FROM rate_limits WHERE key LIKE 'test%' ORDER BY key");
    await inTransaction(async (transaction) => {
      for (let at = 0; at < 501; at += 1) await selectBound(insert, [`test over ${at}`, 1], transaction);
      await selectBound(insert, ['test open', Date.now() + 60_000], transaction);
    });
    expect(await purgeQuotas()).to.equal(true);
    expect(await purgeQuotas()).to.equal(false);
    expect(await left()).to.deep.equal([{ key: 'test open' }]);
  });

  describe('where links are written', () => {
    const stored = async (id: string) => (await Link.findByPk(id, { rejectOnEmpty: true })).passwordHash;
    const expectProtected = async (link: Record<string, unknown>, password = PASSWORD) => {
      expect(link).to.include({ password_protected: true }).and.not.to.have.any.keys('password', 'password_hash');
      expect(JSON.stringify(link)).not.to.contain(PASSWORD);
      expect(await stored(link.id as string)).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect((await guess(`/${link.slug}`, password)).status).to.equal(303);
    };

    it('POST, PATCH, PUT by external id, bulk creation and bulk change', async () => {
      const body = { destination: DESTINATION, password: PASSWORD };
      const created = await world.api('POST', '/links', body);
      await expectProtected(created.body);
      const { id } = await create({ password: null });
      await expectProtected((await world.api('PATCH', `/links/${id}`, { password: PASSWORD })).body);
      await expectProtected((await world.api('PUT', '/links/external/by-put', body)).body);
      await expectProtected((await world.api('PUT', '/links/external/by-put', { password: 'new' })).body, 'new');
      const links = [body, { ...body, password: 'x' }, { ...body, password: null }, { destination: DESTINATION }];
      const { results } = (await world.api('POST', '/links/bulk', { links })).body;
      await expectProtected(results[0].link);
      await expectProtected(results[1].link, 'x');
      for (const at of [2, 3]) expect(results[at].link).to.include({ password_protected: false });
      const ids = results.map(({ link }: { link: Link }) => link.id);
      const changed = (await world.api('PATCH', '/links/bulk', { ids, set: { password: 'for all' } })).body;
      expect(changed.counts).to.deep.equal({ updated: 4, failed: 0 });
      for (const { link } of changed.results) await expectProtected(link, 'for all');
      const cleared = (await world.api('PATCH', '/links/bulk', { ids, set: { password: null } })).body;
      for (const { link } of cleared.results) expect(link).to.include({ password_protected: false });
      for (const linkId of ids) expect(await stored(linkId)).to.equal(null);
    });

    it('GraphQL takes it and does not show it', async () => {
      const cookie = await ownerSession(world);
      const { projectId } = await firstTenant(world);
      const input = { projectId, destination: DESTINATION, password: PASSWORD };
      const document =
        'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id slug passwordProtected } }';
      const { data } = await graphql(world.origin, document, { input }, cookie);
      const { passwordProtected, ...link } = data.createLink;
      await expectProtected({ ...link, password_protected: passwordProtected });
      const asked = await graphql(world.origin, `{ link(id: "${link.id}") { password } }`, {}, cookie);
      expect(asked.errors).to.have.length(1);
    });

    for (const [password, message] of [
      ['', /not be empty/],
      ['x'.repeat(201), /at most 200 char/],
      [12345678, /./],
      [['x'], /./],
    ] as const) {
      it(`refuses ${JSON.stringify(password).slice(0, 12)}`, async () => {
        const reply = await world.api('POST', '/links', { destination: DESTINATION, password });
        expectError(reply, 422, 'validation_failed');
        expect(reply.body.error.fields[0].path).to.equal('password');
        expect(reply.body.error.fields[0].message).to.match(message);
        expect((await world.api('PATCH', '/links/bulk', { ids: ['lnk_x'], set: { password } })).status).to.equal(422);
      });
    }

    it('takes 200 characters of any kind', async () => {
      const password = '🐎'.repeat(200);
      const { slug } = await create({ password });
      expect((await guess(`/${slug}`, password)).status).to.equal(303);
    });

    it('tells receivers when a link is protected or no longer, not when one password follows another', async () => {
      const { id } = await create({ password: null });
      const updates = async () => {
        const events = await Event.findAll({ where: { linkId: id, type: 'link.updated' }, order: [['id', 'ASC']] });
        return events.map(({ data }) => (data as { changes: object }).changes);
      };
      const change = async (password: string | null) => {
        const { body } = await world.api('PATCH', `/links/${id}`, { password });
        return body.updated_at;
      };
      const none = await change(null);
      expect(await updates()).to.deep.equal([]);
      const first = await change('one');
      const second = await change('two');
      expect(new Set([none, first, second]).size).to.equal(3);
      await change(null);
      expect(await updates()).to.deep.equal([
        { password_protected: { from: false, to: true } },
        { password_protected: { from: true, to: false } },
      ]);
    });

    it('is never in a file, and no file sets it', async () => {
      await create({ external_id: 'in-a-file' });
      const { body } = await world.api('GET', '/links/export');
      expect(body.split('\n')[0]).not.to.contain('password');
      expect(body).not.to.contain('argon2').and.not.to.contain(PASSWORD);
    });

    it('with an Idempotency-Key: done once, another password is another request, and none is stored', async () => {
      const headers = { 'Idempotency-Key': 'a-password' };
      const body = { destination: DESTINATION, password: 'once and only' };
      const first = await world.api('POST', '/links', body, { headers });
      const again = await world.api('POST', '/links', body, { headers });
      expect(again.headers.get('idempotency-replayed')).to.equal('true');
      expect(again.body).to.deep.equal(first.body);
      const other = await world.api('POST', '/links', { ...body, password: 'another' }, { headers });
      expectError(other, 422, 'idempotency_key_reused');
    });

    it('stands nowhere in the store in plain text', async () => {
      const tables = await database().getQueryInterface().showAllTables();
      const names = tables.map((table: string | { tableName: string }) =>
        typeof table === 'string' ? table : table.tableName,
      );
      expect(names).to.include.members(['links', 'events', 'idempotency_records']);
      for (const name of names) {
        const rows = JSON.stringify(await select(`SELECT * FROM "${name}"`));
        for (const secret of [PASSWORD, 'once and only', 'for all'])
          expect(rows.includes(secret), name).to.equal(false);
      }
    });
  });
});
