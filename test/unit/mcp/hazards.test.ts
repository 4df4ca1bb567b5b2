// stores: none
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { decideHazards, type HazardFacts, linksToCompare } from '../../../mcp/decideHazards.ts';
import { wayOf } from '../../../mcp/offered.ts';
import type { ApiTable, Asked } from '../../../mcp/parts.ts';
import { inRoot } from '../../support/root.ts';

const api = JSON.parse(readFileSync(inRoot('cli/manifest.json'), 'utf8')) as ApiTable;
const NOW = Date.UTC(2026, 10, 28);
const LINK = { clicks: 10, domain: 'go.example.com', slug: 'spring' };
const operationOf = (id: string) => {
  const found = api.operations.find((operation) => operation.id === id);
  assert.ok(found, id);
  return found;
};
const dangers = (id: string, asked: Asked, links: HazardFacts['links'] = [LINK]) =>
  decideHazards(operationOf(id), asked, { nowMs: NOW, links }).map(({ danger }) => danger);

/** What stops a link that is there, and what does not. */
const STOPPING = [
  { archived: true },
  { expires_at: '2020-01-01T00:00:00Z' },
  { expires_at: '2026-11-28T00:30:00Z' },
  { expires_at: 'soon' },
  { starts_at: '2026-11-28T00:00:01Z' },
  { click_limit: 10 },
  { password: 'secret word' },
  { slug: 'other' },
  { domain: 'other.example.com' },
];
const HARMLESS = [
  { archived: false },
  { expires_at: '2027-01-01T00:00:00Z' },
  { expires_at: null, starts_at: null, click_limit: null, password: null },
  { starts_at: '2026-11-27T00:00:00Z' },
  { click_limit: 11 },
  { slug: 'spring', domain: 'go.example.com' },
  { destination: 'https://example.com/new', title: 'New', tags: [], routing: null },
];

describe('MCP: what a person decides about', () => {
  const ways = (fields: object): [string, Asked][] => [
    ['updateLink', { path: { id: 'lnk_1' }, body: fields }],
    ['upsertLink', { path: { external_id: 'a' }, body: fields }],
    ['bulkUpdateLinks', { body: { ids: ['lnk_1'], set: fields } }],
    ['bulkUpsertLinks', { body: { links: [{ external_id: 'a', ...fields }] } }],
  ];

  it('is whatever stops a link that is there, by every way of changing links', () => {
    for (const fields of STOPPING)
      for (const [id, asked] of ways(fields))
        assert.deepEqual(dangers(id, asked), ['stops'], `${id} ${JSON.stringify(fields)}`);
    for (const fields of HARMLESS)
      for (const [id, asked] of ways(fields))
        assert.deepEqual(dangers(id, asked), [], `${id} ${JSON.stringify(fields)}`);
  });

  it('is nothing about links that are new, and everything about links of which nothing is known', () => {
    for (const fields of STOPPING) {
      assert.deepEqual(dangers('createLink', { body: { destination: 'https://example.com', ...fields } }), []);
      for (const [id, asked] of ways(fields)) {
        if (id.includes('psert')) assert.deepEqual(dangers(id, asked, [null]), [], id);
        assert.deepEqual(dangers(id, asked, []), ['stops'], id);
      }
    }
  });

  it('compares only the links on whose state it depends', () => {
    const compared = (id: string, asked: Asked) => linksToCompare(operationOf(id), asked);
    assert.deepEqual(compared('updateLink', { path: { id: 'lnk_1' }, body: { archived: true } }), []);
    assert.deepEqual(compared('updateLink', { path: { id: 'lnk_1' }, body: { slug: 'a' } }), ['lnk_1']);
    assert.deepEqual(compared('bulkUpdateLinks', { body: { ids: ['a', 'b'], set: { click_limit: 1 } } }), ['a', 'b']);
    assert.deepEqual(compared('upsertLink', { path: { external_id: 'a/b' }, body: {} }), ['ext_a/b']);
    assert.deepEqual(compared('bulkUpsertLinks', { body: { links: [{ id: 'lnk_1' }, { external_id: 'a' }] } }), [
      'lnk_1',
      'ext_a',
    ]);
  });

  it('is where events go and which, apps of projects, destinations of domains, and files that change links', () => {
    for (const [id, asked, expected] of [
      ['createWebhook', { body: { url: 'https://example.com' } }, ['reveals', 'sends']],
      ['updateWebhook', { body: { url: 'https://example.com' } }, ['sends']],
      ['updateWebhook', { body: { scope: null } }, ['sends']],
      ['updateWebhook', { body: { event_types: ['*'] } }, ['sends']],
      ['updateWebhook', { body: { include_bots: true } }, ['sends']],
      ['updateWebhook', { body: { description: 'x', external_id: 'a', managed_by: null, max_in_flight: 1 } }, []],
      ['enableWebhook', {}, ['sends', 'sends']],
      ['disableWebhook', {}, ['stops']],
      [
        'updateDomain',
        { body: { root_destination: null, not_found_destination: 'https://example.com' } },
        ['stops', 'stops'],
      ],
      ['updateDomain', { body: { expired_destination: null } }, ['stops']],
      ['updateDomain', { body: { managed_by: 'code:a' } }, []],
      ['updateProject', { body: { apps: [] } }, ['stops']],
      ['updateProject', { body: { name: 'New' } }, []],
      ['startImport', { query: { on_conflict: 'update' }, body: 'destination\n' }, ['stops']],
      ['startImport', { query: {}, body: 'destination\n' }, ['bulk']],
      ['startImport', { query: { dry_run: 'true', on_conflict: 'update' }, body: 'destination\n' }, []],
      ['revokeKey', {}, ['deletes']],
      ['createKey', { body: { name: 'x' } }, ['reveals']],
      ['getWebhookSecret', {}, ['reveals']],
    ] as [string, Asked, string[]][]) {
      assert.deepEqual(dangers(id, asked), expected, `${id} ${JSON.stringify(asked)}`);
    }
  });

  it('says for every operation that writes whether it is confirmed whatever it is asked', () => {
    const free = api.operations
      .filter((operation) => wayOf(operation) === 'write_api')
      .filter(({ id }) => dangers(id, { body: {}, query: { dry_run: 'true' } }).length === 0);
    // Whoever adds an operation decides here: nobody is asked about these, unless their fields say so.
    assert.deepEqual(free.map(({ id }) => id).sort(), [
      ...['acknowledgeAlert', 'bulkCreateLinks', 'bulkUpdateLinks', 'bulkUpsertLinks', 'createDomain', 'createLink'],
      ...['createTag', 'replayWebhook', 'resendDelivery', 'reviewLink', 'runHealthChecks', 'simulateMatch'],
      ...['startImport', 'testWebhook', 'unarchiveLink', 'updateDomain', 'updateLink', 'updateProject', 'updateTag'],
      ...['updateWebhook', 'upsertLink', 'verifyDomain'],
    ]);
  });
});
