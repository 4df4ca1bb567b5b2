// stores: none
import { expect } from 'chai';
import { checkPublishableKey } from '../../../src/health/checks/checkPublishableKey.ts';
import { checkWebhooks } from '../../../src/health/checks/checkWebhooks.ts';
import type { WatchedWebhook } from '../../../src/health/readSubject.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import type { App } from '../../../src/models/Project.ts';
import { healthSubject } from '../../support/healthSubject.ts';

const APP: App = { platform: 'android', package: 'com.acme.app', sha256_fingerprints: [], scheme: null };
const HOOK: WatchedWebhook = {
  id: 'whk_1',
  url: 'https://hooks.acme.test/a',
  status: 'enabled',
  disabledReason: null,
  circuit: 'closed',
  consecutiveFailures: 0,
};

describe('the health check of webhooks', () => {
  const table: [what: string, webhooks: Partial<WatchedWebhook>[], status: string, message: RegExp][] = [
    ['none', [], 'skip', /no webhooks/],
    ['a good one', [{}], 'pass', /./],
    ['one failed attempt', [{ consecutiveFailures: 1 }], 'pass', /./],
    ['failed attempts in a row', [{ consecutiveFailures: 3 }], 'warn', /hooks\.acme\.test\/a \(whk_1\) failed 3 times/],
    ['an open circuit', [{ circuit: 'open', consecutiveFailures: 5 }], 'warn', /failed 5 times/],
    ['switched off by hand', [{ status: 'disabled', disabledReason: 'manual' }], 'pass', /./],
    ['switched off', [{}, { status: 'disabled', disabledReason: 'failures' }], 'fail', /fix the receiver, then enable/],
  ];
  for (const [what, webhooks, status, message] of table) {
    it(`${status}: ${what}`, () => {
      const result = checkWebhooks(healthSubject({ webhooks: webhooks.map((more) => ({ ...HOOK, ...more })) }));
      expect(result.status).to.equal(status);
      expect(result.message).to.match(message);
    });
  }
});

describe('the health check of the publishable key', () => {
  before(() => loadConfig({ LOG_LEVEL: 'silent', UNUSED_KEY_DAYS: '7' }));
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));

  const daysAgo = (days: number) => new Date(clock.now() - days * 86_400_000);
  const table: [
    what: string,
    apps: App[],
    keys: { count: number; lastUsedAt: Date | null },
    status: string,
    says: RegExp,
  ][] = [
    ['no apps', [], { count: 1, lastUsedAt: null }, 'skip', /no apps/],
    ['no key', [APP], { count: 0, lastUsedAt: null }, 'warn', /create one/],
    ['never used', [APP], { count: 1, lastUsedAt: null }, 'warn', /No app has used a publishable key yet/],
    ['in use', [APP], { count: 2, lastUsedAt: daysAgo(6.9) }, 'pass', /./],
    ['silent', [APP], { count: 2, lastUsedAt: daysAgo(7.1) }, 'warn', /since \d{4}-\d\d-\d\dT/],
  ];
  for (const [what, apps, publishableKeys, status, says] of table) {
    it(`${status}: ${what}`, () => {
      const result = checkPublishableKey(healthSubject({ apps, publishableKeys }));
      expect(result.status).to.equal(status);
      expect(result.message).to.match(says);
    });
  }
});
