// stores: any
import { expect } from 'chai';
import { ROUTES } from '../../../facade/routes/index.ts';
import type { Route } from '../../../facade/routes/Route.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { apiWith } from '../../support/operations.ts';
import { firstTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

/** One value of every JSON type, and strings that have broken stores and parsers. */
const ODD_VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x'.repeat(10_000),
  'a\0b',
  '\ud800',
  '🦄',
  '2026-13-45T99:99:99Z',
  [],
  [null],
  [[]],
  ['\0'],
  {},
  { '': 1 },
  { '\ud800': '\0' },
  { __proto__: null, constructor: { prototype: 1 } },
];

describe('bad input', () => {
  const world = useWorld();
  let api: Api;
  let mine: Tenant;

  before(async () => {
    mine = await firstTenant(world);
    api = mine.api;
  });

  const create = (body: object) => api('POST', '/links', { destination: DESTINATION, ...body });

  describe('bodies', () => {
    const send = (raw: string | Buffer, type = 'application/json') =>
      api('POST', '/links', undefined, { raw, headers: { 'Content-Type': type } });

    it('400 for what is no JSON object', async () => {
      const broken = [
        '',
        ' ',
        '{',
        '[]',
        '[{}]',
        '"text"',
        '5',
        'null',
        'true',
        '{"a":1}x',
        "{'a':1}",
        '{"a":NaN}',
        '\u0000',
      ];
      for (const raw of broken) expectError(await send(raw), 400, 'invalid_json');
      expectError(await send(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), 400, 'invalid_json');
    });

    it('400 for 200,000 levels', async () => {
      expectError(await send('['.repeat(100_000) + ']'.repeat(100_000)), 400, 'invalid_json');
      expectError(await send(`{"data":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}}`), 400, 'invalid_json');
      expectError(await send('['.repeat(200_000)), 400, 'invalid_json');
    });

    it('415 for other media types, charsets and compression', async () => {
      const types = [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json-patch+json',
        'application/jsonx',
        '',
      ];
      const charsets = ['application/json; charset=utf-16', 'application/json;charset=latin1'];
      for (const type of [...types, ...charsets]) expectError(await send('{}', type), 415, 'unsupported_media_type');
      const headers = { 'Content-Encoding': 'gzip' };
      expectError(await api('POST', '/links', {}, { headers }), 415, 'unsupported_media_type');
    });

    it('201 for UTF-8 however it is named, with a byte order mark, and the last of two equal keys', async () => {
      const raw = `{"destination":"https://a.example.com/","destination":"${DESTINATION}"}`;
      for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON;Charset="UTF-8"']) {
        const reply = await send(`\ufeff${raw}`, type);
        expect(reply.body.destination).to.equal(DESTINATION);
      }
    });

    it('422 for a number that no machine holds', async () => {
      expectInvalid(await send(`{"destination":"${DESTINATION}","click_limit":1e400}`), 'click_limit');
    });

    it('keeps every payload that JSON can say', async () => {
      const data = { 'a.b': { 'c/d~e': ['☀', '\u0001', 1e21, -0.5, true, null, ''] }, constructor: 'x', $ref: '#' };
      expect((await create({ data })).body.data).to.deep.equal(data);
      expectInvalid(await create({ data: { text: 'x'.repeat(16_384) } }), 'data');
      expectInvalid(await create({ data: { a: [{ b: '\0' }] } }), 'data.a.0.b');
      expectError(await create({ data: { '\ud800': 1 } }), 422, 'validation_failed');
    });
  });

  describe('values of every kind in every field: refused or taken, never a fault of ours', () => {
    const targets: Record<string, string[]> = {
      createLink:
        'domain slug destination routing data tags external_id title notes utm preview starts_at expires_at expired_destination click_limit match_window_seconds'.split(
          ' ',
        ),
      updateLink: ['archived', 'destination', 'slug', 'domain', 'data', 'tags'],
      updateProject: 'name default_domain match_window_seconds probabilistic_matching max_event_value apps'.split(' '),
      createWebhook: 'url description event_types scope include_bots'.split(' '),
      updateWebhook: 'url description event_types scope include_bots'.split(' '),
      testWebhook: ['type'],
      recordOpen:
        'install_id first_open platform app_version os_version device_model language timezone screen url install_referrer referrer_click_at install_begin_at clipboard consent'.split(
          ' ',
        ),
      resolveUrl: ['url'],
      recordEvents: 'install_id events id name occurred_at value currency properties'.split(' '),
    };
    const install_id = '6f1c1b3e-3c3f-4a39-9d0c-0d9e5b7f2a11';
    const bases: Record<string, object> = {
      createLink: { destination: DESTINATION },
      createWebhook: { url: 'http://127.0.0.1:9999/hook' },
      recordOpen: { install_id, first_open: true, platform: 'ios' },
      recordEvents: { install_id, name: 'purchase' },
    };

    for (const [id, fields] of Object.entries(targets)) {
      it(id, async () => {
        const link = (await create({})).body.id;
        const webhook = (await api('POST', '/webhooks', bases.createWebhook)).body.id;
        const route = ROUTES.find((row) => row.id === id) as Route;
        const ids: Record<string, string> = { links: link, webhooks: webhook, projects: mine.projectId };
        const path = route.path.replace('{id}', ids[route.path.split('/')[1] as string] as string);
        const asked = await apiWith(route, mine);
        for (const field of fields) {
          for (const value of ODD_VALUES) {
            const reply = await asked(route.method, path, { ...bases[id], [field]: value });
            expect([200, 201, 202, 409, 422], `${field} = ${JSON.stringify(value)}`).to.include(reply.status);
            if (reply.status !== 422) continue;
            for (const problem of reply.body.error.fields) expect(problem.path.split('.')[0]).to.equal(field);
          }
        }
      }).timeout(60_000);
    }

    it('queries', async () => {
      const queries = {
        '/links': 'search tag domain status external_id batch_id created_after created_before sort order limit cursor',
        '/links/lookup': 'domain slug external_id short_url',
        '/analytics':
          'event group_by interval start end granularity timezone traffic limit country device browser platform referrer_host link',
        '/projects': 'limit cursor',
        '/webhooks': 'limit cursor',
      };
      const values = [
        '',
        '%00',
        '%F0',
        '%',
        '%ED%A0%80',
        'x'.repeat(3000),
        '-',
        ',',
        '%27',
        '[]',
        '{}',
        '-1',
        '1e400',
        '0x10',
        '%F0%9F%A6%84',
      ];
      for (const [path, names] of Object.entries(queries)) {
        for (const name of names.split(' ')) {
          for (const value of values) {
            const { status } = await api('GET', `${path}?${name}=${value}`);
            expect([200, 400, 404, 422], `${path}?${name}=${value.slice(0, 20)}`).to.include(status);
          }
          expect((await api('GET', `${path}?${name}[]=1&${name}=2&${name}=3`)).status).to.equal(422);
        }
      }
    }).timeout(60_000);
  });

  describe('Authorization', () => {
    const status = async (authorization: string) => {
      const reply = await api.as(null)('GET', '/team', undefined, { headers: { Authorization: authorization } });
      return `${reply.status} ${reply.body?.error?.code ?? ''}`.trim();
    };

    it('200 however the scheme is spelled', async () => {
      for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer  ']) {
        expect(await status(`${scheme}${world.secretKey}`), scheme).to.equal('200');
      }
    });

    it('401 for everything else', async () => {
      const { secretKey } = world;
      const basic = `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`;
      for (const header of ['', 'Bearer', 'Bearer ', basic, secretKey, `Token ${secretKey}`, `Bearer${secretKey}`]) {
        expect(await status(header), header).to.equal('401 missing_key');
      }
      const wrong = [
        `${secretKey} ${secretKey}`,
        `${secretKey},`,
        secretKey.toUpperCase(),
        `"${secretKey}"`,
        '%00',
        '\u00fc',
        'x'.repeat(8000),
      ];
      for (const key of wrong) expect(await status(`Bearer ${key}`), key.slice(0, 40)).to.equal('401 invalid_key');
    });

    it('is refused, and nothing breaks, with 100 KB', async () => {
      const headers = { Authorization: `Bearer ${'x'.repeat(100_000)}` };
      const response = await fetch(`${world.origin}/api/v1/team`, { headers });
      expect([401, 431]).to.include(response.status);
      expect((await api('GET', '/team')).status).to.equal(200);
    });
  });

  it('404 for ids of every odd shape, on every path that takes one', async () => {
    const ids = [
      '%00',
      'a%00b',
      '%2f',
      '..%2f..',
      '%F0%9F',
      '%',
      '%zz',
      'x'.repeat(10_000),
      'ext_%00',
      'ext_',
      '%27%20OR%201=1',
      '🦄',
      'lnk_',
      '%ED%A0%80',
      ':id',
      '{id}',
    ];
    const bodies: Record<string, object> = {
      testWebhook: { type: 'link.created' },
      replayWebhook: { since: new Date().toISOString() },
    };
    // An external id is a value, not an id of ours: a bad one is 422.
    for (const route of ROUTES.filter(({ path }) => path.includes('{') && !path.includes('{external_id}'))) {
      for (const id of ids) {
        const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : (bodies[route.id] ?? {});
        const reply = await api(route.method, route.path.replace(/\{\w+\}/, id), body);
        expectError(reply, 404, 'not_found');
      }
    }
  });
});
