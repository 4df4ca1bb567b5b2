import type { Click } from '../../src/clicks/click.ts';
import { query } from '../../src/db/query.ts';
import type { Product } from './product.ts';

/** A link as clicks know it. */
export interface BenchLink {
  id: string;
  domain: string;
  slug: string;
  utm: Click['utm'];
  tagIds: string[];
  /** Where it leads, with the rule that says so: its own destination first. */
  targets: { destination: string; rule: string | null }[];
}

const BATCH = 1000;
const SOURCES = ['newsletter', 'instagram', 'google', 'facebook', 'partner', 'qr', 'sms', 'podcast'];
const MEDIUMS = ['email', 'social', 'cpc', 'referral', 'print'];
const RULES = ['german phones', 'ios store', 'android store', 'returning', 'campaign page', 'night offer'];
const UTM_NONE = { source: null, medium: null, campaign: null, term: null, content: null };

/** Makes links over REST: two in five with tags, half with utm parameters, one in eight with rules. */
export async function makeLinks({ call }: Pick<Product, 'call'>, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const links = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => linkAt(from + at));
    await call('POST', '/links/bulk', { links });
  }
}

/** Each value by its place alone: every run has the same links. */
function linkAt(at: number) {
  const page = `https://www.example.com/${['products', 'stories', 'offers', 'help'][at % 4]}/${at}`;
  const rules = [{ name: RULES[at % RULES.length], when: { platform: ['ios'] }, destination: `${page}/app` }];
  if (at % 16 === 3) rules.push({ name: 'elsewhere', when: { platform: ['android'] }, destination: `${page}/android` });
  return {
    slug: `bench-${String(at).padStart(6, '0')}`,
    destination: page,
    ...(at % 5 < 2 ? { tags: tagsAt(at) } : {}),
    ...(at % 2 === 0 ? { utm: utmAt(at / 2) } : {}),
    ...(at % 8 === 3 ? { routing: { rules } } : {}),
  };
}

function tagsAt(at: number): string[] {
  const count = 1 + (at % 3);
  return [...new Set(Array.from({ length: count }, (_, more) => `topic ${((at % 7) + more * 11) % 30}`))];
}

function utmAt(at: number) {
  return {
    source: SOURCES[at % SOURCES.length],
    medium: MEDIUMS[at % MEDIUMS.length],
    ...(at % 3 > 0 ? { campaign: `campaign-${at % 120}` } : {}),
    ...(at % 10 === 0 ? { term: `term ${at % 40}` } : {}),
    ...(at % 10 === 5 ? { content: `variant ${at % 4}` } : {}),
  };
}

interface Row {
  id: string;
  project_id: string;
  team_id: string;
  domain: string;
  slug: string;
  destination: string;
  utm: unknown;
  routing: unknown;
}

/** The links of the open store in the order of their slugs, whose they are, and the names of tags by id. */
export async function readLinks() {
  const rows = await query<Row>(
    `SELECT l.id, l.project_id, p.team_id, l.domain, l.slug, l.destination, l.utm, l.routing
     FROM links l JOIN projects p ON p.id = l.project_id ORDER BY l.slug`,
  );
  const tagged = await query<{ link_id: string; tag_id: string }>(
    'SELECT link_id, tag_id FROM link_tags ORDER BY 1, 2',
  );
  const tags = await query<{ id: string; name: string }>('SELECT id, name FROM tags');
  const tagIds = Map.groupBy(tagged, ({ link_id }) => link_id);
  const [first] = rows;
  if (!first) throw new Error('There are no links');
  return {
    teamId: first.team_id,
    projectId: first.project_id,
    tagNames: new Map(tags.map(({ id, name }) => [id, name])),
    links: rows.map((row) => linkOf(row, tagIds.get(row.id)?.map(({ tag_id }) => tag_id) ?? [])),
  };
}

function linkOf({ id, domain, slug, destination, utm, routing }: Row, tagIds: string[]): BenchLink {
  const { rules = [] } = (json(routing) ?? {}) as { rules?: { name: string; destination: string }[] };
  const given = json(utm);
  return {
    id,
    domain,
    slug,
    // All five, as the redirect writes them.
    utm: given ? { ...UTM_NONE, ...given } : null,
    tagIds,
    targets: [
      { destination, rule: null },
      ...rules.map((rule) => ({ destination: rule.destination, rule: rule.name })),
    ],
  };
}

/** SQLite gives JSON as text. */
function json(value: unknown): object | null {
  return typeof value === 'string' ? JSON.parse(value) : (value as object | null);
}
