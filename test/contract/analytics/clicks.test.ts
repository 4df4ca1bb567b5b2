// stores: each
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick } from '../../support/clicks.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, memberSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const ARGUMENTS = `$projectId: ID!, $link: ID, $trafficClass: String, $country: String, $platform: String, $device: String,
  $referrerHost: String, $browser: String, $start: DateTimeISO, $end: DateTimeISO, $cursor: String, $limit: Int`;
const PASSED = ARGUMENTS.replace(/\$(\w+): \w+!?/g, '$1: $$$1');
const QUERY = `query (${ARGUMENTS}) { clicks(${PASSED}) { nextCursor data { id occurredAt linkId domain slug trafficClass reason why
  country region city platform device browser language referrerHost visitor link { id slug } } } }`;

const at = (second: number) => Date.parse('2026-11-01T12:00:00Z') + second * 1000;

describe('Single clicks', () => {
  const world = useWorld();
  let mine: Tenant;
  let viewer: string;
  let link: { id: string; slug: string };
  const deleted = newId('lnk');
  let newestFirst: string[];

  before(async () => {
    mine = await firstTenant(world);
    viewer = await memberSession(world, mine.teamId, 'viewer');
    link = (await mine.api('POST', '/links', { destination: 'https://www.example.com/', external_id: 'one' })).body;
    const { projectId } = mine;
    const clicks = [
      makeClick({ projectId, linkId: link.id, occurredAt: at(1), visitor: 'abcdefghijklmnopqrstuv' }),
      makeClick({ projectId, linkId: link.id, occurredAt: at(2), country: 'AT', browser: null }),
      makeClick({ projectId, linkId: deleted, occurredAt: at(2), country: 'AT', referrerHost: 'news.example' }),
      makeClick({ projectId, linkId: deleted, occurredAt: at(3), country: null, platform: 'android' }),
      makeClick({ projectId, linkId: deleted, occurredAt: at(4), trafficClass: 'bot', trafficReason: 'head' }),
    ];
    const foreign = makeClick({ projectId: (await makeTenant(world)).projectId, linkId: link.id, occurredAt: at(5) });
    await storeClicks([...clicks, foreign], { listening: () => false });
    newestFirst = clicks.toSorted((a, b) => b.occurredAt - a.occurredAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
  });

  const ask = (variables: object, cookie = viewer) =>
    graphql(world.origin, QUERY, { projectId: mine.projectId, ...variables }, cookie);
  const list = async (variables: object) => {
    const { data, errors } = await ask(variables);
    expect(errors).to.equal(undefined);
    return data.clicks as { nextCursor: string | null; data: Record<string, unknown>[] };
  };
  const countOf = async (variables: object) => (await list(variables)).data.length;

  it('are listed newest first with everything that is known, and little of the visitor', async () => {
    const { data, nextCursor } = await list({});
    expect(nextCursor).to.equal(null);
    expect(data.map(({ id }) => id)).to.deep.equal(newestFirst);
    expect(data.at(-1)).to.deep.equal({
      id: newestFirst.at(-1),
      occurredAt: new Date(at(1)).toISOString(),
      linkId: link.id,
      domain: 'go.example.com',
      slug: 'spring',
      trafficClass: 'human',
      reason: null,
      why: null,
      country: 'DE',
      region: null,
      city: null,
      platform: 'ios',
      device: 'mobile',
      browser: 'Mobile Safari',
      language: 'de',
      referrerHost: null,
      visitor: 'abcdef',
      link: { id: link.id, slug: link.slug },
    });
  });

  it('say why one is not a person, and have no link once it is gone', async () => {
    const [bot] = (await list({ limit: 1 })).data;
    expect(bot).to.include({
      trafficClass: 'bot',
      reason: 'head',
      why: 'The method is HEAD.',
      linkId: deleted,
      link: null,
    });
  });

  it('are found by every filter, by several values, and by what they are not', async () => {
    const filters: [object, number][] = [
      [{ link: link.id }, 2],
      [{ link: 'ext_one' }, 2],
      [{ link: `-${link.id}` }, 3],
      [{ trafficClass: 'bot,scanner' }, 1],
      [{ country: 'at' }, 2],
      [{ country: 'DE,AT' }, 4],
      [{ country: '-AT' }, 3],
      [{ platform: 'android' }, 1],
      [{ device: '-mobile' }, 0],
      [{ referrerHost: 'NEWS.example' }, 1],
      [{ browser: '-Mobile Safari' }, 1],
      [{ country: 'AT', browser: 'Mobile Safari' }, 1],
      [{ start: new Date(at(2)), end: new Date(at(4)) }, 3],
      [{ start: new Date(at(4)), end: new Date(at(2)) }, 0],
      [{ start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z' }, 5],
    ];
    for (const [filter, count] of filters) expect(await countOf(filter), JSON.stringify(filter)).to.equal(count);
  });

  it('come page by page, each once, also among those of one moment', async () => {
    for (const [filter, count] of [
      [{}, 5],
      [{ country: 'AT' }, 2],
    ] as const) {
      const ids: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page = await list({ ...filter, limit: 1, cursor });
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(new Set(ids).size).to.equal(ids.length).and.to.equal(count);
      expect(ids).to.deep.equal(newestFirst.filter((id) => ids.includes(id)));
    }
  });

  it('refuse a cursor of other filters, and filters that mean nothing', async () => {
    const { nextCursor: cursor } = await list({ limit: 1 });
    const codeOf = async (variables: object) => (await ask(variables)).errors?.[0]?.extensions.code;
    expect(await codeOf({ cursor, country: 'AT' })).to.equal('invalid_request');
    for (const wrong of [{ link: 'ext_two' }, { country: 'DE,,AT' }, { limit: 101 }, { browser: '' }])
      expect(await codeOf(wrong), JSON.stringify(wrong)).to.equal('validation_failed');
  });

  it('are for those who may read the analytics of the project alone', async () => {
    const stranger = await memberSession(world, (await makeTenant(world)).teamId, 'owner');
    expect((await ask({}, stranger)).errors?.[0]?.extensions.code).to.equal('not_found');
    expect((await ask({}, '')).errors?.[0]?.extensions.code).to.equal('not_signed_in');
  });
});
