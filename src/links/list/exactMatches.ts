import { inList, inListValue, withoutIndex } from '../../db/dialects.ts';
import { type Bind, buildQuery } from '../../db/query.ts';
import { config } from '../../kernel/config.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { Domain } from '../../models/Domain.ts';
import { Link } from '../../models/Link.ts';
import { type Condition, indexSource } from './condition.ts';

/** The domain and slug of a short URL, whatever follows them. */
export function addressOfShortUrl({ host, pathname }: URL): { domain: string; slug: string } {
  return { domain: canonicalHost(host) ?? host, slug: pathname.slice(1) };
}

/** The condition that a link has this short URL, which may lack its scheme; null: no link of the project has it. */
export async function shortUrlCondition(projectId: string, text: string): Promise<Condition | null> {
  const url = text.includes('/') ? URL.parse(/^https?:/i.test(text) ? text : `https://${text}`) : null;
  if (!url) return null;
  const { domain, slug } = addressOfShortUrl(url);
  const link = await Link.findOne({ attributes: ['id'], where: { domain, slug, projectId } });
  if (!link) return null;
  const test = (bind: Bind) => `domain = ${bind(domain)} AND slug = ${bind(slug)}`;
  return { test, source: indexSource(projectId, 'links_domain_slug', test) };
}

/** The links of a project with exactly this slug, on any of its domains, that fulfil these conditions. */
export async function linksWithSlug(projectId: string, slug: string, conditions: Condition[]): Promise<string[]> {
  const own = await Domain.findAll({ where: { projectId, kind: 'link' }, attributes: ['hostname'] });
  const domains = [config.linkDomain, ...own.map(({ hostname }) => hostname)];
  const rows = await buildQuery<{ id: string }>((bind) => {
    const address = `${inList('domain', bind(inListValue(domains)))} AND slug = ${bind(slug)}`;
    const tests = conditions.map(({ test }) => ` AND ${test(bind)}`).join('');
    return `SELECT id FROM links WHERE ${address} AND ${withoutIndex('project_id')} = ${bind(projectId)}${tests} ORDER BY id`;
  });
  return rows.map(({ id }) => id);
}
