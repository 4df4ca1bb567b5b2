// stores: any
import { expect } from 'chai';
import { RESERVED_SEGMENTS } from '../../../src/kernel/origins.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { firstTenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

describe('bad links where links have a domain of their own', () => {
  const world = useWorld({ LINK_DOMAIN: 'go.example.com' });

  const create = (body: object) => world.api('POST', '/links', { destination: DESTINATION, ...body });

  it('takes the domain in upper case, with a trailing dot, with the default port, and no other', async () => {
    for (const domain of ['GO.example.COM', 'go.example.com.', 'go.example.com:80', 'go.example.com']) {
      expect((await create({ domain })).body.domain, domain).to.equal('go.example.com');
    }
    const { host } = new URL(world.origin);
    for (const domain of ['go.example.com:8080', 'example.com', 'x.go.example.com', host, 'go.example.com..']) {
      expectInvalid(await create({ domain }), 'domain');
    }
  });

  it('has its own paths free for slugs', async () => {
    for (const slug of RESERVED_SEGMENTS) {
      const { body } = await create({ slug });
      expect(body.short_url).to.equal(`http://go.example.com/${slug}`);
      await world.api('DELETE', `/links/${body.id}`);
    }
  });
});

describe('bad links', () => {
  const world = useWorld();
  let api: Api;
  let projectId: string;

  before(async () => {
    api = world.api;
    projectId = (await firstTenant(world)).projectId;
  });

  const create = (body: object) => api('POST', '/links', { destination: DESTINATION, ...body });

  describe('rules', () => {
    const ruled = (when: object) => ({ routing: { rules: [{ when, destination: 'https://rule.example/' }] } });
    const WHEN = 'routing.rules.0.when';

    it('hold in every spelling that is understood, and come back as they were written', async () => {
      const table: [when: object, visitor: string][] = [
        [{ country: ['UK'] }, 'country=GB'],
        [{ country: [' de '] }, 'country=DE'],
        [{ country: ['DD'] }, 'country=de'],
        [{ language: ['pt_BR'] }, 'language=pt-br'],
        [{ language: ['pt-BR'] }, 'language=pt_BR'],
        [{ referrer_host: ['https://t.co', ' X.example.'] }, 'referrer_host=x.example'],
        [{ not: { referrer_host: ['t.co:443'] } }, 'referrer_host=y.example'],
      ];
      for (const [when, visitor] of table) {
        const { status, body } = await create(ruled(when));
        expect([status, body.routing?.rules[0].when], JSON.stringify(body)).to.deep.equal([201, when]);
        const { outcome } = (await api('GET', `/links/${body.id}/trace?${visitor}`)).body;
        expect(outcome.destination, JSON.stringify(when)).to.equal('https://rule.example/');
      }
    });

    it('that can never hold are refused at the field, on every way in', async () => {
      const table: [when: object, field: string, advice: RegExp][] = [
        [{ country: ['DE', 'SU'] }, 'country.1', /write RU/],
        [{ country: ['Germany'] }, 'country.0', /write DE/],
        [{ language: ['portuguese'] }, 'language.0', /write pt/],
        [{ not: { referrer_host: ['.t.co'] } }, 'not.referrer_host.0', /write t\.co/],
        [{ country: [] }, 'country', /at least 1/],
        [{ query: [{ name: '' }] }, 'query.0.name', /empty/],
        [{ platform: ['ios'], not: { platform: ['ios'] } }, 'not.platform', /never match/],
        [{ after: '2026-02-01T00:00:00Z', before: '2026-01-01T00:00:00Z' }, 'before', /later than after/],
      ];
      const { body: link } = await create({});
      for (const [when, field, advice] of table) {
        for (const [method, path] of [
          ['POST', '/links'],
          ['PATCH', `/links/${link.id}`],
          ['PUT', '/links/external/ruled'],
        ] as const) {
          const response = await api(method, path, { destination: DESTINATION, ...ruled(when) });
          expectInvalid(response, `${WHEN}.${field}`);
          expect(response.body.error.fields[0].message, field).to.match(advice);
        }
        const { body } = await api('POST', '/links/bulk', { links: [{ destination: DESTINATION, ...ruled(when) }] });
        expect(body.results[0].error.fields[0].path, field).to.equal(`${WHEN}.${field}`);
      }
    });
  });

  describe('slugs', () => {
    const bad = {
      'parent segment': '..',
      'parent segment inside': 'a/../b',
      'own segment': './a',
      'leading slash': '/a',
      'trailing slash': 'a/',
      'doubled slash': 'a//b',
      'percent-encoding': 'a%2fb',
      'encoded zero': '%00',
      'zero character': 'a\0b',
      Unicode: 'größe',
      'full-width letters': 'ａｂｃ',
      space: 'a b',
      'line break': 'a\nb',
      query: 'a?b',
      fragment: 'a#b',
      backslash: 'a\\b',
      plus: 'a+',
      empty: '',
      '.well-known': '.well-known/x',
      '191 characters': 'a'.repeat(191),
      '10,000 characters': 'a'.repeat(10_000),
      number: 5,
    };
    for (const [name, slug] of Object.entries(bad)) {
      it(`422: ${name}`, async () => expectInvalid(await create({ slug }), 'slug'));
    }

    for (const segment of RESERVED_SEGMENTS) {
      it(`422 on the base host: ${segment}`, async () => {
        expectInvalid(await create({ slug: segment }), 'slug');
        expectInvalid(await create({ slug: `${segment}/more` }), 'slug');
        const { id } = (await create({})).body;
        expectInvalid(await api('PATCH', `/links/${id}`, { slug: segment }), 'slug');
      });
    }

    it('422 on the base host: guides, and nothing else below docs', async () => {
      for (const slug of ['docs/mcp.md', 'docs/any-name.md']) expectInvalid(await create({ slug }), 'slug');
      for (const slug of ['docs', 'docs/mcp', 'docs/a/b.md', 'docs/MCP.md', 'guides/mcp.md']) {
        expect((await create({ slug })).status, slug).to.equal(201);
      }
    });

    it('201: 190 characters, dots, tildes, segments that only begin like ours', async () => {
      for (const slug of ['a'.repeat(190), 'a.b', '...', '~', '-_.~/a', 'apis', 'API', 'a/api', '.well-known2']) {
        expect((await create({ slug })).status, slug).to.equal(201);
      }
    });
  });

  describe('domains', () => {
    it('422 for hosts that are not ours', async () => {
      const port = new URL(world.origin).port;
      const hosts = ['go.example.com', '', ' ', 'http://localhost', 'a b', '[::1'];
      const odd = [
        `x.localhost:${port}`,
        'go.example.com..',
        'x'.repeat(300),
        `localhost:${port}/x`,
        `localhost:${port}?`,
        'ü.de',
      ];
      for (const domain of [...hosts, ...odd]) expectInvalid(await create({ domain }), 'domain');
    });

    it('201 for ours in upper case, with a trailing dot, and with its port', async () => {
      const port = new URL(world.origin).port;
      for (const domain of [`LOCALHOST:${port}`, `localhost.:${port}`, `localhost:${port}`]) {
        expect((await create({ domain })).body.domain, domain).to.equal(`localhost:${port}`);
      }
    });
  });

  describe('destinations', () => {
    const bad = {
      javascript: 'javascript:alert(1)',
      'javascript in disguise': ' java\tscript:alert(1)',
      'JavaScript in capitals': 'JaVaScRiPt:alert(1)',
      data: 'data:text/html,x',
      vbscript: 'vbscript:x',
      intent: 'intent://x#Intent;end',
      file: 'file:///etc/passwd',
      blob: 'blob:https://example.com/x',
      about: 'about:blank',
      credentials: 'https://user:secret@example.com/',
      'user name': 'https://user@example.com/',
      tab: 'https://exam\tple.com/',
      'line break': 'https://example.com/\r\nX: y',
      space: 'https://example.com/a b',
      'leading space': ' https://example.com/',
      'zero character': 'https://example.com/\0',
      'no scheme': 'example.com/page',
      relative: '/page',
      'protocol-relative': '//example.com',
      'scheme of another program': 'ms-msdt:/id',
      'no host': 'https://',
      'one slash': 'https:/example.com',
      'no slash': 'https:example.com',
      'bad port': 'https://example.com:99999/',
      '9,000 characters': `https://example.com/${'a'.repeat(9000)}`,
      '8,193 bytes as sent': `https://example.com/${'é'.repeat(1362)}a`,
      'unregistered scheme': 'otherapp://open',
      'mail scheme': 'mailto:a@example.com',
      empty: '',
      number: 5,
    };
    for (const [name, destination] of Object.entries(bad)) {
      it(`422: ${name}`, async () => {
        expectInvalid(await create({ destination }), 'destination');
        expectInvalid(await create({ expired_destination: destination }), 'expired_destination');
        const rules = [{ when: { platform: ['ios'] }, destination }];
        expectInvalid(await create({ routing: { rules } }), 'routing.rules.0.destination');
        expectInvalid(await create({ routing: { android: { fallback: destination } } }), 'routing.android.fallback');
        expectInvalid(await create({ preview: { image_url: destination } }), 'preview.image_url');
      });
    }

    it('201: IDN, ports, 8,192 bytes as sent, upper case, an IPv6 host, as they were sent', async () => {
      const long = `https://example.com/${'a'.repeat(8192 - 20)}`;
      const encoded = `https://example.com/${'é'.repeat(1362)}`;
      for (const destination of [
        'https://bücher.example/ä?ö#ü',
        'HTTP://EXAMPLE.COM:8080/A',
        'https://[2606:4700::1111]/',
        long,
        encoded,
      ]) {
        const { body } = await create({ destination });
        expect(body.destination, JSON.stringify(body)).to.equal(destination);
      }
    });

    it('422 before and 201 after an app registers its scheme', async () => {
      expectInvalid(await create({ destination: 'myapp://p/42' }), 'destination');
      const apps = [{ platform: 'ios', bundle_id: 'com.example.app', team_id: 'ABCDE12345', scheme: 'myapp' }];
      const project = await api('PATCH', `/projects/${projectId}`, { apps });
      expect(project.body.apps).to.deep.equal([{ ...apps[0], app_store_id: null }]);
      expect((await create({ destination: 'myapp://p/42' })).status).to.equal(201);
      expect((await api('PATCH', `/projects/${projectId}`, { apps: null })).body.apps).to.deep.equal([]);
      expectInvalid(await create({ destination: 'myapp://p/42' }), 'destination');
    });
  });

  describe('apps', () => {
    it('422 for schemes of browsers, systems and other programs, naming each', async () => {
      const schemes = ['http', 'https', 'javascript', 'data', 'intent', 'file', 'blob', 'vbscript', 'about', 'content'];
      const odd = ['ab', 'My', '1ab', 'a b c', 'myapp:', ''];
      const others = ['ms-msdt', 'vscode', 'itms-services', 'tel'];
      const apps = [...schemes, ...others, ...odd].map((scheme) => ({
        platform: 'android',
        package: 'com.example.app',
        sha256_fingerprints: [],
        scheme,
      }));
      const reply = await api('PATCH', `/projects/${projectId}`, { apps });
      expectInvalid(reply, ...apps.map((_, index) => `apps.${index}.scheme`));
    });

    it('422 for fields of the other platform and for missing ones', async () => {
      const ios = { platform: 'ios', bundle_id: 'x', package: 'com.example.app' };
      const apps = [ios, { platform: 'web' }, 5];
      const reply = await api('PATCH', `/projects/${projectId}`, { apps });
      expectError(reply, 422, 'validation_failed');
      const paths = reply.body.error.fields.map(({ path }: { path: string }) => path);
      expect(paths).to.include.members(['apps.0.bundle_id', 'apps.0.team_id', 'apps.1.platform', 'apps.2']);
    });
  });

  describe('times', () => {
    it('422 for what is no moment', async () => {
      const bad = ['2026-02-30T00:00:00Z', '2026-01-01', '2026-01-01T00:00:00', '1767225600', 1_767_225_600, 'now', ''];
      const far = [
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59-14:00',
        '+010000-01-01T00:00:00Z',
        '2026-01-01T24:00:00Z',
      ];
      for (const time of [...bad, ...far]) expectInvalid(await create({ expires_at: time }), 'expires_at');
    });

    it('201 in every spelling of ISO 8601 with a zone', async () => {
      const spellings = ['2090-01-01T01:00:00+01:00', '2090-01-01t00:00:00z', '2090-01-01T00:00:00.000000001Z'];
      for (const time of spellings) {
        const reply = await create({ expires_at: time });
        expect(reply.body.expires_at, JSON.stringify([time, reply.body])).to.equal('2090-01-01T00:00:00.000Z');
      }
    });
  });
});
