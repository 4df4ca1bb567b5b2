import { Document } from 'yaml';
import type { CodeApi, LinkFilter } from './api.ts';
import type { Schema } from './checkSchema.ts';
import { isPlain, isSame } from './compare.ts';
import { type FieldTable, fieldTable, normal } from './fields.ts';
import { ownerOf, tagKey } from './sections.ts';
import type { Fields, Row } from './types.ts';

export interface ExportOptions {
  /** Which stack the file is for. */
  stack: string;
  /** Only links with this tag; domains and webhooks are left out then. */
  tag?: string | null;
  /** Where editors find the schema. */
  schemaUrl?: string | null;
}

export interface Exported {
  yaml: string;
  links: number;
  /** What was left out, and why. */
  notes: string[];
}

/** Writes what a project has as a file of a stack, whose plan is empty once it is adopted. */
export async function exportStack(api: CodeApi, options: ExportOptions, schema: Schema): Promise<Exported> {
  const { defaultDomain } = await api.project();
  const exporter = new Exporter(options, defaultDomain, fieldTable(schema));
  const filter: LinkFilter = options.tag ? { tag: options.tag } : {};
  for await (const row of api.exportLinks(filter)) exporter.addLink(row);
  exporter.addTags(await api.list('tag'));
  if (!options.tag) {
    exporter.addDomains(await api.list('domain'));
    exporter.addWebhooks(await api.list('webhook'), await api.list('tag'));
  }
  return exporter.finish();
}

class Exporter {
  private readonly options: ExportOptions;
  private readonly defaultDomain: string;
  private readonly table: FieldTable;
  private readonly sections: Record<string, Fields> = { tags: {}, domains: {}, links: {}, webhooks: {} };
  private readonly usedTags = new Set<string>();
  private readonly linkNames = new Map<string, string>();
  private readonly skipped = new Map<string, number>();

  constructor(options: ExportOptions, defaultDomain: string, table: FieldTable) {
    this.options = options;
    this.defaultDomain = defaultDomain;
    this.table = table;
  }

  addLink(row: Row): void {
    if (!this.isOurs(row, 'links')) return;
    if (row.archived_at) {
      this.skip('archived links');
      return;
    }
    const slug = String(row.slug);
    const { name, fields: identity } = this.identify('links', row, slug);
    const fields: Fields = { ...(slug === name ? {} : { slug }), ...identity };
    if (row.domain !== this.defaultDomain) fields.domain = row.domain;
    if (row.password_protected) fields.password = { env: `${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_PASSWORD` };
    const said = this.saidFields('link', row);
    for (const tag of (row.tags ?? []) as string[]) this.usedTags.add(tagKey(tag));
    this.linkNames.set(row.id, name);
    const isShort = Object.keys(fields).length === 0 && Object.keys(said).length === 1;
    const isSlugged = fields.slug !== undefined || !isShort;
    (this.sections.links as Fields)[name] = isShort
      ? said.destination
      : { ...(isSlugged ? { slug } : {}), ...said, ...fields };
  }

  addTags(rows: Row[]): void {
    for (const row of rows) {
      const name = String(row.name);
      if (!this.usedTags.has(tagKey(name)) && this.options.tag) continue;
      if (this.isOurs(row, 'tags')) (this.sections.tags as Fields)[name] = this.saidFields('tag', row, ['name']);
    }
  }

  addDomains(rows: Row[]): void {
    for (const row of rows) {
      if (!this.isOurs(row, 'domains')) continue;
      const kind = row.kind === 'link' ? {} : { kind: row.kind };
      (this.sections.domains as Fields)[String(row.hostname)] = {
        ...kind,
        ...this.saidFields('domain', row, ['hostname']),
      };
    }
  }

  addWebhooks(rows: Row[], tags: Row[]): void {
    const tagNames = new Map(tags.map(({ id, name }) => [id, name]));
    // Webhooks that nobody names are found by their URL again, of which two are a conflict.
    const unnamed = Map.groupBy(
      rows.filter(({ managed_by, external_id }) => !managed_by && !external_id),
      ({ url }) => url,
    );
    for (const row of rows) {
      if (!this.isOurs(row, 'webhooks')) continue;
      if (!row.managed_by && !row.external_id && (unnamed.get(row.url)?.length ?? 0) > 1) {
        this.skip('webhooks with the same URL and no external_id');
        continue;
      }
      const scope = this.scopeOf(row.scope, tagNames);
      if (row.status === 'disabled' || scope === undefined) {
        this.skip(row.status === 'disabled' ? 'disabled webhooks' : 'webhooks of links that are not in the file');
        continue;
      }
      const url = URL.parse(String(row.url));
      const { name, fields } = this.identify('webhooks', row, url ? `${url.hostname}${url.pathname}` : 'webhook');
      const said = this.saidFields('webhook', row);
      (this.sections.webhooks as Fields)[name] = { ...said, ...fields, ...(scope === null ? {} : { scope }) };
    }
  }

  finish(): Exported {
    const { stack, schemaUrl } = this.options;
    const sections = Object.entries(this.sections).filter(([, entries]) => Object.keys(entries).length > 0);
    const document = new Document(
      { version: 1, stack, ...Object.fromEntries(sections) },
      { version: '1.2', schema: 'core' },
    );
    if (schemaUrl) document.commentBefore = ` yaml-language-server: $schema=${schemaUrl}`;
    const notes = [...this.skipped].map(([what, count]) => `${count} ${what} left out`);
    return {
      yaml: document.toString({ lineWidth: 0 }),
      links: Object.keys(this.sections.links as Fields).length,
      notes,
    };
  }

  private isOurs({ managed_by }: Row, what: string): boolean {
    const isOurs = managed_by === null || managed_by === undefined || managed_by === ownerOf(this.options.stack);
    if (!isOurs) this.skip(`${what} of other stacks`);
    return isOurs;
  }

  private skip(what: string): void {
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + 1);
  }

  /** The name in the file, from the external id where it is one of this stack, else from what people call it. */
  private identify(section: string, row: Row, called: string): { name: string; fields: Fields } {
    const prefix = `${this.options.stack}/`;
    const { external_id } = row;
    const own =
      typeof external_id === 'string' && external_id.startsWith(prefix) ? external_id.slice(prefix.length) : null;
    const taken = this.sections[section] as Fields;
    if (own !== null && /^[a-z0-9][a-z0-9._/-]{0,99}$/.test(own) && !Object.hasOwn(taken, own))
      return { name: own, fields: {} };
    const base =
      called
        .toLowerCase()
        .replace(/[^a-z0-9._/-]+/g, '-')
        .replace(/^[^a-z0-9]+/, '')
        .slice(0, 90) || 'link';
    let name = base;
    for (let number = 2; Object.hasOwn(taken, name); number += 1) name = `${base}-${number}`;
    return { name, fields: typeof external_id === 'string' ? { external_id } : {} };
  }

  /** The fields that are not as they would be if the file said nothing. */
  private saidFields(kind: keyof FieldTable, row: Row, without: string[] = []): Fields {
    const said: Fields = {};
    for (const [field, fallback] of this.table[kind]) {
      const value = row[field] ?? null;
      if (!without.includes(field) && !isSame(normal(field, value), normal(field, fallback)))
        said[field] = withoutNulls(field, value);
    }
    return said;
  }

  /** Undefined: the file cannot say it. */
  private scopeOf(scope: unknown, tagNames: Map<string, unknown>): Fields | null | undefined {
    if (!isPlain(scope)) return null;
    if (typeof scope.tag_id === 'string') return { tag: tagNames.get(scope.tag_id) };
    if (typeof scope.link_id !== 'string') return null;
    const name = this.linkNames.get(scope.link_id);
    return name === undefined ? undefined : { link: name };
  }
}

/** Groups as a person would write them. */
function withoutNulls(field: string, value: unknown): unknown {
  if (!['utm', 'preview'].includes(field) || !isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}
