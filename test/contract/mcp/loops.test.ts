// stores: any
import { strict as assert } from 'node:assert';
import { MAX_CHARACTERS } from '../../../mcp/results.ts';
import { TOOLS } from '../../../mcp/tools.ts';
import { graphql } from '../../support/graphql.ts';
import { type Assistant, connect } from '../../support/mcp/client.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { ownerSession } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

/** Without an engine of links as code their tools are not there. */
const OFFERED = TOOLS.filter(({ toolset }) => toolset !== 'code');
const WRITERS = OFFERED.filter(({ does }) => does !== 'reads');
const NOW = Date.now();
const [SINCE, UNTIL] = [new Date(NOW - 86_400_000).toISOString(), new Date(NOW + 86_400_000).toISOString()];

interface Things {
  link: string;
  webhook: string;
  delivery: string;
  domain: string;
  tag: string;
}

/** Every argument of every tool, with things that exist. */
const CALLS: Record<string, (things: Things) => object> = {
  get_context: () => ({}),
  query_analytics: ({ link }) => ({
    ...{
      event: 'click',
      group_by: 'time',
      start: SINCE,
      end: UNTIL,
      granularity: 'day',
      timezone: 'Europe/Berlin',
      traffic: 'all',
      limit: 5,
    },
    filters: { link, country: '-DE' },
  }),
  check_health: () => ({}),
  get_docs: () => ({ topic: 'routing' }),
  find_links: () => ({
    ...{
      search: 'example',
      tag: 'loop',
      domain: 'go.example.com',
      status: 'active',
      created_after: SINCE,
      created_before: UNTIL,
    },
    ...{ sort: 'clicks', order: 'asc', limit: 5, detail: 'full' },
  }),
  get_link: ({ link }) => ({ link }),
  create_links: () => ({
    links: [
      {
        ...{
          destination: 'https://example.com/all',
          title: 'All',
          tags: ['loop'],
          notes: 'n',
          click_limit: 5,
          password: 'secret word',
        },
        ...{ expires_at: UNTIL, starts_at: SINCE, expired_destination: 'https://example.com/over', data: { a: 1 } },
        ...{
          utm: { source: 's' },
          preview: { title: 't' },
          routing: { rules: [{ when: { country: ['DE'] }, destination: 'https://example.com/de' }] },
        },
        match_window_seconds: 600,
      },
    ],
    dry_run: true,
    idempotency_key: 'loop',
  }),
  update_links: ({ link }) => ({
    ...{ ids: [link], set: { title: 'Other' }, add_tags: ['one'], remove_tags: ['loop'] },
    dry_run: true,
  }),
  archive_links: ({ link }) => ({ ids: [link], archived: true, dry_run: true }),
  delete_links: ({ link }) => ({ ids: [link], dry_run: true }),
  trace_link: ({ link }) => ({
    ...{
      link,
      platform: 'ios',
      device: 'mobile',
      country: 'DE',
      language: 'de',
      at: SINCE,
      query: 'v=2',
      referrer_host: 'example.com',
    },
  }),
  get_qr_code: ({ link }) => ({
    link,
    format: 'png',
    size: 1024,
    level: 'H',
    foreground: '#000000',
    background: '#ffffff',
  }),
  search_api: () => ({ query: 'rename a tag' }),
  read_api: () => ({ operation: 'listKeys', arguments: { limit: 5 } }),
  write_api: ({ tag }) => ({
    operation: 'updateTag',
    arguments: { id: tag, color: 'blue' },
    dry_run: true,
    idempotency_key: 'loop',
  }),
  list_webhooks: () => ({ limit: 5 }),
  list_deliveries: ({ webhook }) => ({
    ...{
      webhook_id: webhook,
      status: 'succeeded',
      event_type: 'link.created',
      created_after: SINCE,
      created_before: UNTIL,
      limit: 5,
    },
  }),
  list_events: ({ link }) => ({
    type: 'link.created',
    link_id: link,
    created_after: SINCE,
    created_before: UNTIL,
    limit: 5,
  }),
  test_webhook: ({ webhook }) => ({ id: webhook, type: 'link.created', idempotency_key: 'loop' }),
  resend: ({ delivery }) => ({ delivery_id: delivery, idempotency_key: 'loop' }),
  list_domains: () => ({ kind: 'link', status: 'pending' }),
  add_domain: () => ({ hostname: 'other.example.com', kind: 'link', dry_run: true }),
  verify_domain: ({ domain }) => ({ id: domain }),
  list_installs: ({ link }) => ({ link_id: link, created_after: SINCE, created_before: UNTIL, limit: 5 }),
  explain_install: () => ({ id: 'ins_01kaaaaaaaaaaaaaaaaaaaaaaa' }),
};
/** Nobody has installed anything. */
const MISSING = ['explain_install'];

describe('MCP: every tool', () => {
  const world = useWorld();
  const stranger = useWorld();
  let things: Things;
  let all: Assistant;
  let receiver: Receiver;
  const keyWith = async (scopes: string[]) =>
    (await world.api('POST', '/keys', { name: 'Some', kind: 'secret', scopes })).body.key as string;
  const codeOf = ({
    isError,
    structuredContent,
  }: {
    isError?: boolean;
    structuredContent?: { error?: { code: string } };
  }) => (isError ? structuredContent?.error?.code : 'ok');

  before(async () => {
    receiver = await startReceiver();
    const make = async (path: string, body: object) => (await world.api('POST', path, body)).body;
    const link = await make('/links', { destination: 'https://example.com/loop', tags: ['loop'] });
    const webhook = await make('/webhooks', { url: receiver.url, event_types: ['*'] });
    const delivery = await make(`/webhooks/${webhook.id}/test`, { type: 'link.created' });
    const domain = await make('/domains', { hostname: 'go.example.com' });
    const tags = await world.api('GET', '/tags');
    things = {
      link: link.id,
      webhook: webhook.id,
      delivery: delivery.id,
      domain: domain.id,
      tag: tags.body.data[0].id,
    };
    all = await connect(world.origin, world.secretKey);
  });
  after(async () => {
    await all.close();
    await receiver.close();
  });

  it('takes each of its arguments, stays within bounds and shows no secret', async () => {
    for (const { name, arguments: known } of OFFERED) {
      const args = CALLS[name]?.(things) ?? {};
      const untold = Object.keys(known).filter(
        (argument) =>
          !(argument in args) &&
          !['cursor', 'confirm', 'interval', 'webhook_id', 'since', 'until', 'status'].includes(argument),
      );
      assert.deepEqual(untold, [], `${name} is called with every argument`);
      const result = await all.call(name, args);
      assert.equal(codeOf(result), MISSING.includes(name) ? 'not_found' : 'ok', `${name}: ${result.content[0].text}`);
      const text = JSON.stringify(result);
      assert.ok(!/sk_live_[A-Za-z0-9]{6}|whsec_[A-Za-z0-9]/.test(text), name);
      for (const part of result.content) assert.ok((part.text ?? '').length <= MAX_CHARACTERS, name);
    }
  });

  it('refuses an unknown argument, and what is missing', async () => {
    for (const { name, required = [] } of OFFERED) {
      const { isError, content } = await all.call(name, { ...CALLS[name]?.(things), not_an_argument: 1 });
      assert.equal(isError, true);
      assert.match(content[0].text, /^validation_failed: .*\n {2}not_an_argument: Is not a known argument/, name);
      if (required.length > 0) assert.equal(codeOf(await all.call(name, {})), 'validation_failed', name);
    }
  });

  it('changes nothing with a key that only reads, or a URL that says so', async () => {
    const reader = await connect(world.origin, await keyWith(['*:read']));
    const narrowed = await connect(world.origin, world.secretKey, { query: '?read_only=true' });
    for (const { name, does } of OFFERED) {
      const args = CALLS[name]?.(things);
      const [asReader, asNarrowed] = [codeOf(await reader.call(name, args)), codeOf(await narrowed.call(name, args))];
      const expected = MISSING.includes(name) ? 'not_found' : 'ok';
      assert.equal(asReader, does === 'reads' ? expected : 'insufficient_scope', name);
      assert.equal(asNarrowed, does === 'reads' ? expected : 'read_only', name);
    }
    await Promise.all([reader.close(), narrowed.close()]);
  });

  it('names the scope that a key lacks', async () => {
    const other = await connect(world.origin, await keyWith(['health:read', 'tags:write']));
    for (const { name, scope, operations } of OFFERED) {
      if (scope === null || name === 'check_health') continue;
      const result = await other.call(name, CALLS[name]?.(things));
      assert.equal(codeOf(result), 'insufficient_scope', `${name} ${operations}`);
      assert.match(result.content[0].text, /needs the scope \w+:\w+/);
    }
    assert.equal(codeOf(await other.call('read_api', { operation: 'listLinks' })), 'insufficient_scope');
    await other.close();
  });

  it('finds nothing of others', async () => {
    const foreign = await connect(stranger.origin, stranger.secretKey);
    const naming = [
      'get_link',
      'update_links',
      'archive_links',
      'delete_links',
      'trace_link',
      'get_qr_code',
      'list_deliveries',
      'test_webhook',
      'resend',
      'verify_domain',
      'write_api',
    ];
    for (const name of naming) {
      const result = await foreign.call(name, {
        ...CALLS[name]?.(things),
        ...(name === 'list_deliveries' ? { status: undefined } : {}),
      });
      assert.equal(codeOf(result), 'not_found', `${name}: ${result.content?.[0]?.text}`);
    }
    await foreign.close();
  });

  it('leaves rows out of what would be too long', async () => {
    const links = Array.from({ length: 100 }, (_, at) => ({
      destination: `https://example.com/rows/${at}`,
      notes: 'long '.repeat(400),
    }));
    await world.api('POST', '/links/bulk', { links });
    for (const [name, args] of [
      ['find_links', { limit: 50, detail: 'full' }],
      ['read_api', { operation: 'listLinks', arguments: { limit: 100 } }],
      ['list_events', { limit: 50, type: 'link.created' }],
    ] as const) {
      const { content, structuredContent } = await all.call(name, args);
      assert.ok(content[0].text.length <= MAX_CHARACTERS, name);
      if (name === 'list_events') continue;
      assert.equal(structuredContent.truncated, true, name);
      assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    }
  });

  it('can only read while the team is read-only', async () => {
    const cookie = await ownerSession(stranger);
    const { body: team } = await stranger.api('GET', '/team');
    const { body: link } = await stranger.api('POST', '/links', { destination: 'https://example.com/theirs' });
    const enter = 'mutation ($id: ID!) { enterSurvivalMode(teamId: $id, reason: "test") { id } }';
    assert.equal((await graphql(stranger.origin, enter, { id: team.id }, cookie)).errors, undefined);
    const frozen = await connect(stranger.origin, stranger.secretKey);
    for (const { name } of WRITERS) {
      const theirs = { ...things, link: link.id };
      const args = {
        ...CALLS[name]?.(theirs),
        ...(name === 'write_api' ? { operation: 'createTag', arguments: { name: 'x' } } : {}),
      };
      const code = codeOf(await frozen.call(name, args));
      assert.ok(['team_read_only', 'not_found'].includes(String(code)), `${name}: ${code}`);
      if (name.endsWith('_links') || name === 'add_domain') assert.equal(code, 'team_read_only', name);
    }
    assert.equal((await frozen.ask('get_context')).is_read_only, true);
    await frozen.close();
  });
});
