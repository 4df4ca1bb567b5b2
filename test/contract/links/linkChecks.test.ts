// stores: any
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Link } from '../../../src/models/Link.ts';
import type { Reply } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, ownerSession } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

const GOOD = 'https://www.example.org/';
const BAD = 'https://login.bad.example/';

/** By the path that the refusal names: a body with a bad URL there. */
const PLACES: Record<string, object> = {
  destination: { destination: BAD },
  expired_destination: { expired_destination: BAD },
  'routing.rules.1.destination': {
    routing: {
      rules: [
        { when: { platform: ['ios'] }, destination: GOOD },
        { when: { country: ['DE'] }, destination: BAD },
      ],
    },
  },
  'routing.split.1.destination': {
    routing: {
      split: [
        { destination: GOOD, weight: 1 },
        { destination: BAD, weight: 1 },
      ],
    },
  },
  'routing.ios.fallback': { routing: { ios: { fallback: BAD } } },
  'routing.android.fallback': { routing: { android: { fallback: BAD } } },
  'preview.image_url': { preview: { title: 'Look', image_url: BAD } },
};

/** One URL for each check that refuses it. */
const REFUSED: Record<string, string> = {
  private_address: 'http://192.168.0.1/admin',
  own_host: 'https://go.sprintly.io/another',
  mixed_scripts: 'https://pаypal.com/',
  look_alike: 'https://www.sprint1y.io/',
  blocklist: BAD,
};

describe('Link checks', () => {
  let world: World;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    const file = path.join(folder, 'list.txt');
    await writeFile(file, 'bad.example\n');
    await utimes(file, 1_700_000_000, 1_700_000_000);
    world = await startWorld({
      ALLOW_PRIVATE_TARGETS: 'false',
      BASE_URL: 'http://localhost:8080',
      LINK_DOMAIN: 'go.sprintly.io',
      BLOCKLIST_FILES: file,
    });
  });
  after(async () => {
    await world.stop();
    await rm(folder, { recursive: true });
  });

  const expectRefused = (reply: Reply, place: string, check = 'blocklist') => {
    expectError(reply, 422, 'destination_refused');
    expect(reply.body.error.message).to.include(place).and.include(check);
  };

  for (const [place, body] of Object.entries(PLACES)) {
    it(`${place}: refused at creation and at a change, and nothing is done`, async () => {
      const count = await Link.count();
      expectRefused(await world.api('POST', '/links', { destination: GOOD, ...body }), place);
      expect(await Link.count()).to.equal(count);
      const { body: link } = await world.api('POST', '/links', { destination: GOOD });
      expectRefused(await world.api('PATCH', `/links/${link.id}`, { ...body, title: 'New' }), place);
      expect((await world.api('GET', `/links/${link.id}`)).body).to.deep.equal(link);
    });
  }

  for (const [check, destination] of Object.entries(REFUSED)) {
    it(`${check}: ${destination} is refused`, async () => {
      expectRefused(await world.api('POST', '/links', { destination }), 'destination', check);
    });
  }

  it('refuses in lists, where good rows land', async () => {
    const links = [{ destination: GOOD }, { destination: BAD }];
    const { status, body } = await world.api('POST', '/links/bulk', { links });
    expect([status, body.counts]).to.deep.equal([200, { created: 1, failed: 1 }]);
    expect(body.results[1].error.code).to.equal('destination_refused');
    const id = body.results[0].link.id;
    const change = await world.api('PATCH', '/links/bulk', { ids: [id], set: { destination: BAD } });
    expect(change.body.results[0].error.code).to.equal('destination_refused');
  });

  it('refuses by external id, and on GraphQL', async () => {
    expectRefused(await world.api('PUT', '/links/external/one', { destination: BAD }), 'destination');
    const { projectId } = await firstTenant(world);
    const cookie = await ownerSession(world);
    const { errors } = await graphql(
      world.origin,
      'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id } }',
      { input: { projectId, destination: BAD } },
      cookie,
    );
    expect(errors?.[0]?.extensions.code).to.equal('destination_refused');
  });

  it('comes after validation', async () => {
    expectInvalid(await world.api('POST', '/links', { destination: BAD, click_limit: 0 }), 'click_limit');
  });

  it('lets apps and ordinary internationalised names pass', async () => {
    const [project] = (await world.api('GET', '/projects')).body.data;
    const apps = [{ platform: 'android', package: 'com.example.app', sha256_fingerprints: [], scheme: 'myapp' }];
    expect((await world.api('PATCH', `/projects/${project.id}`, { apps })).status).to.equal(200);
    for (const destination of ['myapp://localhost/x', 'https://münchen.de/', 'https://例え.jp/']) {
      expect((await world.api('POST', '/links', { destination })).status, destination).to.equal(201);
    }
  });

  it('keeps a refusal for repeats', async () => {
    const headers = { 'Idempotency-Key': 'refused-once' };
    const refuse = () => world.api('POST', '/links', { destination: BAD }, { headers });
    const first = await refuse();
    expectRefused(first, 'destination');
    const again = await refuse();
    expect([again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([422, 'true']);
    expect(again.body).to.deep.equal(first.body);
  });
});
