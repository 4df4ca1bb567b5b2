// plays, stores: each
import { expect } from 'chai';
import fc from 'fast-check';
import { REQUEST_EXAMPLES } from '../../../facade/openapi/examples.ts';
import { ROUTES } from '../../../facade/routes/index.ts';
import type { Route } from '../../../facade/routes/Route.ts';
import { query } from '../../../src/db/query.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { ApiKey } from '../../../src/models/ApiKey.ts';
import { Event } from '../../../src/models/Event.ts';
import { Import } from '../../../src/models/Import.ts';
import { Link } from '../../../src/models/Link.ts';
import { LinkTag } from '../../../src/models/LinkTag.ts';
import { Project } from '../../../src/models/Project.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import type { Api } from '../../support/api.ts';
import { untilRun } from '../../support/jobs.ts';
import { apiWith, bodyOf, hasBody, makeThings, pathOf, type Things } from '../../support/operations.ts';
import { firstTenant, type Tenant } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

const RUNS = 12;
const LINK_RUNS = 60;

const writing = ROUTES.filter((route) => hasBody(route) && route.takes !== 'csv');
const TABLES = [Project, Link, LinkTag, Tag, ApiKey, Webhook, Alert, Import, Event] as const;

/** What apps told. */
const APP_TABLES = ['installs', 'opens', 'app_events'];

/** JSON of every shape, with text in any characters that JSON can carry. */
const anything = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });

/** A body that is nearly right: some fields of a good one are something else, and some are not known. */
function nearly(route: Route): fc.Arbitrary<unknown> {
  const good = { ...REQUEST_EXAMPLES[route.id], ...bodyOf(route) } as Record<string, unknown>;
  const field = (value: unknown) => fc.oneof({ weight: 2, arbitrary: fc.constant(value) }, anything);
  const fields = Object.fromEntries(Object.entries(good).map(([name, value]) => [name, field(value)]));
  const more = fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.dictionary(fc.string({ unit: 'binary' }), anything, { maxKeys: 2 }),
  );
  return fc.tuple(fc.record(fields, { requiredKeys: [] }), more).map(([body, extra]) => ({ ...body, ...extra }));
}

describe('properties', () => {
  let world: World;
  let tenant: Tenant;
  let api: Api;
  let things: Things;

  before(async () => {
    // Events of what apps told, deliveries that are tried again and checks of health would come in between.
    world = await startWorld({
      RATE_LIMIT_INSTALL_PER_MINUTE: '100000',
      TRAFFIC_COLLECT_SECONDS: '3600',
      WEBHOOK_RETRY_SECONDS: '86400',
      HEALTH_CHECK_SECONDS: '86400',
    });
    await untilRun('collectAppActivity');
    tenant = await firstTenant(world);
    api = tenant.api;
    things = await makeThings(tenant);
  });
  after(() => world.stop());

  /** What goes on by itself: keys are used, links scanned, deliveries sent, health is checked. */
  const MOVING = [
    'lastUsedAt',
    'scannedAt',
    'fannedOutAt',
    'lane',
    'laneUntil',
    'circuit',
    'consecutiveFailures',
    'probePauseSeconds',
    'nextProbeAt',
    'circuitOpenedAt',
    'health',
  ];

  /** Everything that requests may change. */
  const state = async () => {
    const rows = await Promise.all(
      // biome-ignore lint/suspicious/noExplicitAny: models of every kind
      TABLES.map((table: any) => table.findAll({ raw: true, order: [[table === LinkTag ? 'linkId' : 'id', 'ASC']] })),
    );
    for (const table of APP_TABLES) rows.push(await query(`SELECT * FROM ${table} ORDER BY id`));
    return JSON.stringify(rows, (name, value) => (MOVING.includes(name) ? undefined : value));
  };

  for (const route of writing) {
    it(`${route.id} never fails, and changes nothing when it refuses`, async function () {
      this.timeout(180_000);
      const asked = await apiWith(route, tenant);
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, nearly(route)), async (body) => {
          const before = await state();
          const reply = await asked(route.method, pathOf(route, things), undefined, { raw: JSON.stringify(body) });
          expect(reply.status, JSON.stringify(reply.body)).to.be.below(500);
          if (reply.status < 400) return;
          expect(reply.body.error.code).to.be.a('string');
          expect(await state()).to.equal(before);
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('links read back as they were sent', async function () {
    this.timeout(180_000);
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const optional = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof(fc.constant(null), arbitrary);
    const time = fc
      .date({ min: new Date('2031-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
    const link = fc.record(
      {
        destination: fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['https'] }),
        title: optional(text),
        notes: optional(text),
        external_id: optional(fc.uuid()),
        slug: fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/),
        data: fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 20 }), anything, { maxKeys: 5 }),
        tags: fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9 ]{0,20}[a-z0-9]$/), { maxLength: 5 }),
        utm: optional(fc.record({ source: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }) })),
        expires_at: optional(time),
        click_limit: optional(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
        match_window_seconds: optional(fc.integer({ min: 60, max: 86_400 })),
      },
      { requiredKeys: ['destination'] },
    );
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(link, async (sent) => {
        const made = await api('POST', '/links', sent);
        expect(made.status, JSON.stringify(made.body)).to.be.oneOf([201, 409, 422]);
        if (made.status !== 201) return;
        accepted += 1;
        expect((await api('GET', `/links/${made.body.id}`)).body).to.deep.equal(made.body);
        const { tags, utm, ...fields } = JSON.parse(JSON.stringify(sent));
        for (const [name, value] of Object.entries(fields)) expect(made.body[name], name).to.deep.equal(value);
        if (tags) expect(made.body.tags).to.have.members(tags);
        if (utm) expect(made.body.utm.source).to.equal(utm.source);
      }),
      { numRuns: LINK_RUNS },
    );
    expect(accepted).to.be.greaterThan(LINK_RUNS / 3);
  });
});
