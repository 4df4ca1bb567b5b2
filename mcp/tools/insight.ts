import type { Json } from '../parts.ts';
import { refuse, shownBudget, tamed } from '../results.ts';
import type { Ran, Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { domainView, noticed } from '../views.ts';
import { MAX_QUERY, wordsOf } from '../words.ts';
import { limitOf } from './arguments.ts';

/** About 2,000 tokens. */
const MAX_PAGE = 7_500;
const MAX_TAGS = 50;
const MAX_NAMES = 12;

/** Where the assistant is, what is going on, and how things work. */
export const INSIGHT_TOOLS: Tool[] = [
  {
    name: 'get_context',
    toolset: 'core',
    description:
      'The project, its domains and tags, what the key may do, and how many records it may still change. Call it first.',
    operations: ['getCurrentKey', 'listTags', 'listDomains'],
    scope: null,
    does: 'reads',
    arguments: {},
    run: showContext,
  },
  {
    name: 'query_analytics',
    toolset: 'core',
    description:
      'Counts of clicks, installs, opens or app events by one dimension. People alone, unless traffic says otherwise.',
    operations: ['getAnalytics'],
    does: 'reads',
    arguments: {
      ...Object.fromEntries(
        'event group_by interval start end granularity timezone traffic'
          .split(' ')
          .map((name) => [name, `getAnalytics.${name}`]),
      ),
      limit: limitOf(20, 200),
      filters: {
        type: 'object',
        description:
          'Dimension to value, such as {"country": "DE,FR", "link": "lnk_…"}; a leading - excludes. Keys of rows as they are: {"utm_campaign": ["spring, summer", null]}',
      },
    },
    narrow: 'take a smaller limit or a shorter range',
    async run(call) {
      const { filters = {} } = call.args as { filters?: Json };
      const query = {
        ...Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, filterText(value)])),
        ...call.query('event', 'group_by', 'interval', 'start', 'end', 'granularity', 'timezone', 'traffic'),
        limit: call.text('limit') ?? '20',
      };
      return { value: noticed(tamed(await call.ask('getAnalytics', { query })) as Json) };
    },
  },
  {
    name: 'check_health',
    toolset: 'core',
    description: 'Checks of domains, apps and webhooks that fail, and open alerts.',
    operations: ['getHealth', 'listAlerts'],
    does: 'reads',
    arguments: {},
    async run(call) {
      const mayAlerts = call.may('alerts:read');
      const [health, alerts] = await Promise.all([
        call.ask('getHealth'),
        mayAlerts ? call.ask('listAlerts', { query: { status: 'open', limit: '20' } }) : null,
      ]);
      const failing = (health.checks as { status: string }[]).filter(
        ({ status }) => status === 'fail' || status === 'warn',
      );
      const { status, checked_at } = health;
      return {
        value: {
          status,
          checked_at,
          failing,
          open_alerts: tamed(alerts?.data ?? 'The key lacks the scope alerts:read.'),
        },
      };
    },
  },
  {
    name: 'get_docs',
    toolset: 'core',
    description: 'Documentation: a topic such as routing, or words to search for.',
    operations: [],
    scope: null,
    does: 'reads',
    isIdempotent: true,
    arguments: {
      topic: { type: 'string', maxLength: MAX_QUERY, description: 'A name or words; without it all topics are listed' },
    },
    run: showDocs,
  },
];

/** A filter of analytics: a text as the API takes it, or values as rows have them. */
function filterText(value: unknown): string {
  return Array.isArray(value) ? value.map(escaped).join(',') : String(value);
}

function escaped(value: unknown): string {
  if (value === 'null') return '\\null';
  return String(value)
    .replace(/[\\,]/g, '\\$&')
    .replace(/^[-\s]|\s$/g, '\\$&');
}

async function showContext(call: ToolCall): Promise<Ran> {
  const key = await call.ask('getCurrentKey');
  const { project, team } = key as { project: Json; team: Json };
  const allowed = async (scope: string, operation: string, asked = {}) =>
    call.may(scope) ? call.ask(operation, asked) : null;
  const [tags, domains, budget] = await Promise.all([
    allowed('tags:read', 'listTags', { query: { limit: String(MAX_TAGS) } }),
    allowed('domains:read', 'listDomains', { query: { limit: '50' } }),
    call.parts.budget.left(call.session.keyId, call.narrowing.budget),
  ]);
  return {
    value: tamed({
      project,
      team: { name: team.name, status: team.status, read_only_reason: team.read_only_reason },
      key: { name: key.name, scopes: key.scopes, expires_at: key.expires_at },
      is_read_only: call.narrowing.isReadOnly || team.status !== 'active',
      write_budget: shownBudget(budget),
      tags: tags && (tags.data as { name: string }[]).map((tag) => tag.name),
      domains:
        domains &&
        (domains.data as unknown[])
          .map(domainView)
          .map(({ id: domainId, hostname, status }) => ({ id: domainId, hostname, status })),
      docs_topics: call.parts.docs
        .topics()
        .map((topic) => topic.name)
        .slice(0, 60),
    }) as Json,
  };
}

async function showDocs(call: ToolCall): Promise<Ran> {
  const { docs } = call.parts;
  const wanted = call.text('topic')?.trim();
  const topics = docs.topics();
  if (!wanted) return { value: { topics } };
  const found = docs.search(wordsOf(wanted));
  const exact = topics.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.name;
  const name = exact ?? found[0];
  const page = name === undefined ? null : docs.page(name);
  if (!name || page === null) {
    const known = topics
      .map((topic) => topic.name)
      .slice(0, 40)
      .join(', ');
    refuse('not_found', `No page has these words. Topics: ${known}.`);
  }
  const others = found.filter((other) => other !== name).slice(0, MAX_NAMES);
  const text = [
    excerptOf(page, wanted),
    `\n---\nThis is the page ${name}. ${others.length > 0 ? `Further pages: ${others.join(', ')}.` : ''}`,
  ];
  return { result: { content: [{ type: 'text', text: text.join('\n') }] } };
}

/** The page, or of a long one its sections that have the words, in their order. */
function excerptOf(page: string, words: string): string {
  if (page.length <= MAX_PAGE) return page;
  const sections = page.split(/\n(?=#{1,6} )/);
  const wanted = wordsOf(words).filter((word) => word.length > 2);
  const score = (section: string) => {
    const text = section.toLowerCase();
    return wanted.filter((word) => text.includes(word)).length;
  };
  const best = sections
    .map((section, at) => ({ section, at, score: score(section) + (at === 0 ? 0.5 : 0) }))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const kept: typeof best = [];
  let length = 0;
  for (const candidate of best) {
    if (length + candidate.section.length > MAX_PAGE) continue;
    kept.push(candidate);
    length += candidate.section.length;
  }
  const shown =
    kept.length > 0
      ? kept
          .sort((a, b) => a.at - b.at)
          .map(({ section }) => section)
          .join('\n')
      : page.slice(0, MAX_PAGE);
  return `${shown}\n\n(Parts of this page are left out. Ask with the words that you look for.)`;
}
