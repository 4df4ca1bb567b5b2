import type { CodeApi } from './api.ts';
import { isPlain } from './compare.ts';
import { normal } from './fields.ts';
import { ownerOf, tagKey } from './sections.ts';
import type { Actual, Fields, PlanOptions, Row, Stack, Wanted } from './types.ts';

/** More domains are not asked one by one: all links of the project are read. */
const MAX_DOMAINS = 4;

/**
 * Reads what a plan must look at: everything that the stack owns, and what has the identity or the address of something in
 * its files. The number of requests does not depend on the number of links.
 */
export async function loadActual(api: CodeApi, stack: Stack, options: PlanOptions = {}): Promise<Actual> {
  const project = await api.project();
  const owners = [ownerOf(stack.name), ...(options.fromStack ? [ownerOf(options.fromStack)] : [])];
  const links = new Map<string, Row>();
  const keeper = new Keeper();
  for (const managed_by of owners) {
    for await (const row of api.exportLinks({ managed_by })) links.set(row.id, keeper.keep(row));
  }
  for (const row of await others(api, stack, [...links.values()], project.defaultDomain))
    links.set(row.id, keeper.keep(row));
  const [tags, domains, webhooks] = await readOthers(api, stack, owners[0] as string);
  const actual: Actual = { project, links: [...links.values()], tags, domains, webhooks };
  if (options.prune === 'delete') await findOwnTags(api, stack, actual, owners[0] as string);
  return actual;
}

/** Fields in which many links say the same. */
const SHARED = ['domain', 'managed_by', 'status', 'updated_at'];

/**
 * Keeps links without what no plan needs, and equal texts once: half the memory of 100,000 links. They are taken apart in
 * this way because engines keep objects three times as large to which fields were added or from which they were deleted
 * one by one.
 */
class Keeper {
  private readonly texts = new Map<unknown, unknown>();

  keep(row: Row): Row {
    const {
      project_id: _,
      short_url: __,
      clicks: ___,
      last_clicked_at: ____,
      flagged_at: _____,
      created_at: ______,
      ...rest
    } = row;
    const kept: Fields = rest;
    for (const field of SHARED) kept[field] = this.shared(kept[field]);
    if (Array.isArray(kept.tags)) kept.tags = kept.tags.map((name) => this.shared(name));
    return kept as Row;
  }

  private shared(text: unknown): unknown {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    this.texts.set(text, text);
    return text;
  }
}

interface Missing {
  externalId: string;
  domain: string;
  slug: string | null;
}

/** Links that the stack does not own, and that have an external id or an address that the files want. */
async function others(api: CodeApi, stack: Stack, owned: Row[], defaultDomain: string): Promise<Row[]> {
  const missing = missingLinks(stack, owned, defaultDomain);
  if (missing.length === 0) return [];
  if (missing.length <= api.maxLookups) {
    const found = await Promise.all(missing.map((one) => lookUp(api, one)));
    return found.flat();
  }
  const byAddress = new Set(missing.flatMap(({ domain, slug }) => (slug === null ? [] : [`${domain}/${slug}`])));
  const ids = new Set(missing.map(({ externalId }) => externalId));
  const found: Row[] = [];
  for (const filter of filtersFor(missing)) {
    for await (const row of api.exportLinks(filter)) {
      if (byAddress.has(`${row.domain}/${row.slug}`) || ids.has(String(row.external_id))) found.push(row);
    }
  }
  return found;
}

/** Every link whose identity is unknown, or which has another address there than in the file. */
function missingLinks(stack: Stack, owned: Row[], defaultDomain: string): Missing[] {
  const byExternalId = new Map(owned.map((row) => [row.external_id, row]));
  const addresses = new Set(owned.map(({ domain, slug }) => `${domain}/${slug}`));
  return stack.wanted.flatMap(({ kind, externalId, fields }) => {
    if (kind !== 'link' || externalId === null) return [];
    const domain = String(normal('domain', fields.domain ?? defaultDomain));
    const slug = typeof fields.slug === 'string' ? fields.slug : null;
    const isThere = slug === null || addresses.has(`${domain}/${slug}`);
    return byExternalId.has(externalId) && isThere ? [] : [{ externalId, domain, slug }];
  });
}

/** An external id may be that of a link on any domain: with one of their own, all links are read. */
function filtersFor(missing: Missing[]): { domain?: string }[] {
  const domains = [...new Set(missing.map(({ domain }) => domain))];
  return domains.length > MAX_DOMAINS ? [{}] : domains.map((domain) => ({ domain }));
}

async function lookUp(api: CodeApi, { externalId, domain, slug }: Missing): Promise<Row[]> {
  const [named, there] = await Promise.all([
    api.findLink({ external_id: externalId }),
    slug === null ? null : api.findLink({ domain, slug }),
  ]);
  return [named, there].filter((row) => row !== null);
}

/**
 * Tags, domains and webhooks; those of kinds that the files do not have only as far as the stack owns them, and not at all
 * where the key may not read them.
 */
async function readOthers(api: CodeApi, { wanted }: Stack, managed_by: string): Promise<[Row[], Row[], Row[]]> {
  const has = (kind: Wanted['kind']) => wanted.some((one) => one.kind === kind);
  const isScoped = wanted.some(({ kind, fields }) => kind === 'webhook' && isPlain(fields.scope) && fields.scope.tag);
  const read = async (kind: 'tag' | 'domain' | 'webhook', isNeeded: boolean) => {
    if (isNeeded) return api.list(kind);
    return api.list(kind, { managed_by }).catch((error: { code?: unknown }) => {
      if (error.code === 'insufficient_scope') return [];
      throw error;
    });
  };
  return Promise.all([
    read('tag', has('tag') || isScoped),
    read('domain', has('domain')),
    read('webhook', has('webhook')),
  ]);
}

/** Marks owned tags that nothing in the files names and that no link beyond the stack has: only those may be deleted. */
async function findOwnTags(api: CodeApi, stack: Stack, { tags, links }: Actual, owner: string): Promise<void> {
  const named = new Set(
    stack.wanted.flatMap(({ kind, name, fields }) => [
      ...(kind === 'tag' ? [name] : []),
      ...((fields.tags ?? []) as string[]),
    ]),
  );
  const keys = new Set([...named].map(tagKey));
  for (const row of tags) {
    const key = tagKey(String(row.name));
    if (row.managed_by !== owner || keys.has(key)) continue;
    const ours = links.filter(({ managed_by, tags: names }) => managed_by === owner && hasTag(names, key)).length;
    row.is_ours = (await api.countLinks(String(row.name))) === ours;
  }
}

function hasTag(names: unknown, key: string): boolean {
  return Array.isArray(names) && names.some((name) => tagKey(String(name)) === key);
}
