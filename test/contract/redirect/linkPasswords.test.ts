// stores: any
import { expect } from 'chai';
import { dialect } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { config } from '../../../src/kernel/config.ts';
import { TEXTS } from '../../../src/redirect/pages/language.ts';
import {
  ATTEMPTS,
  cookieOf,
  DESTINATION,
  PASSWORD,
  PAUSE_SECONDS,
  SESSION_SECONDS,
  useProtectedLinks,
} from '../../support/protectedLinks.ts';
import type { RawReply } from '../../support/rawRequest.ts';
import { stopClock } from '../../support/stopClock.ts';
import { until } from '../../support/until.ts';

describe('passwords of links', () => {
  const { world, freshAddress, ask, guess, create, passFor } = useProtectedLinks();
  const withCookie = (cookie: string) => ({ headers: { Cookie: cookie } });
  const clicksOf = (id: string) => query('SELECT id FROM clicks WHERE link_id = :id', { id });

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

    it('has no form-action: Chromium would block the redirect to another site', async () => {
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

    it('is kept in a Secure cookie under https', async () => {
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

    it('is asked for again with cookies that are forged, expired or of another link', async () => {
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

    it('a new password invalidates the cookies, and removing it opens the link', async () => {
      const { id, slug } = await create();
      const pass = await passFor(slug);
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(302);
      await world().api('PATCH', `/links/${id}`, { password: 'another' });
      expect((await ask(`/${slug}`, withCookie(pass))).status).to.equal(200);
      expect((await guess(`/${slug}`, PASSWORD)).status).to.equal(403);
      expect((await guess(`/${slug}`, 'another')).status).to.equal(303);
      // The same once more is hashed anew.
      const again = cookieOf(await guess(`/${slug}`, 'another'));
      await world().api('PATCH', `/links/${id}`, { title: 'Not the password' });
      expect((await ask(`/${slug}`, withCookie(again))).status).to.equal(302);
      await world().api('PATCH', `/links/${id}`, { password: null });
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

    it('a form that is too large: 413', async () => {
      const { slug } = await create();
      expect((await guess(`/${slug}`, 'x'.repeat(100_000))).status).to.equal(413);
    });
  });

  describe('too many wrong ones', () => {
    const wait = (reply: RawReply) => Number(reply.headers['retry-after']);

    it('for one link from one address: 429, nothing changes for others', async () => {
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

    it('are counted even if sent at once, and for a whole IPv6 network', async () => {
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

    it('for one link from a customer with many IPv6 networks: three times as many', async () => {
      const { slug } = await create();
      const from = (network: number) => ({ 'X-Forwarded-For': `2001:db8:7:${network.toString(16)}::1` });
      const statuses: number[] = [];
      for (let at = 0; at < 4 * ATTEMPTS; at += 1) statuses.push((await guess(`/${slug}`, 'wrong', from(at))).status);
      expect(statuses.filter((status) => status === 403)).to.have.length(3 * ATTEMPTS);
      // Everybody else goes on.
      expect((await guess(`/${slug}`, PASSWORD)).status).to.equal(303);
    });

    it('for one link from everywhere: PASSWORD_ATTEMPTS_FROM_ALL, and visitors with a cookie still pass', async () => {
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
      const keys = await query<{ key: string }>("SELECT key FROM rate_limits WHERE key LIKE 'link_password%'");
      expect(keys.length).to.be.above(5);
      expect(keys.filter(({ key }) => /198\.51|2001|db8/.test(key))).to.deep.equal([]);
    });
  });
});
