import type { BulkResult, CodeApi, LinkFilter, Rehearsal } from '../../../sdk/code/api.ts';
import type { Fields, Row } from '../../../sdk/code/types.ts';

const GROUPS: Record<string, string[]> = {
  utm: ['source', 'medium', 'campaign', 'term', 'content'],
  preview: ['title', 'description', 'image_url'],
};

const NEW_LINK: Fields = {
  ...{ routing: null, data: {}, tags: [], external_id: null, title: null, notes: null, utm: null, preview: null },
  ...{ starts_at: null, expires_at: null, expired_destination: null, click_limit: null, match_window_seconds: null },
  ...{ password_protected: false, archived_at: null, status: 'active', flag_reason: null, managed_by: null },
};

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** A server in memory, with the rules by which links, tags, domains and webhooks are kept apart. */
export class ServerModel implements CodeApi {
  readonly links = new Map<string, Row>();
  readonly tags = new Map<string, Row>();
  readonly domains = new Map<string, Row>();
  readonly webhooks = new Map<string, Row>();
  readonly maxLookups = 6;
  requests = 0;
  writes = 0;
  /** Called before each write; what it throws, the caller meets. */
  beforeWrite: () => void = () => {};
  private counter = 0;

  async project() {
    this.requests += 1;
    return { id: 'prj_1', name: 'Test', defaultDomain: 'go.example.com' };
  }

  async *exportLinks(filter: LinkFilter): AsyncGenerator<Row> {
    this.requests += 1;
    for (const row of [...this.links.values()]) {
      if (Object.entries(filter).every(([field, value]) => row[field] === value)) yield structuredClone(row);
    }
  }

  async findLink(by: Fields): Promise<Row | null> {
    this.requests += 1;
    return structuredClone(this.linkBy(by) ?? null);
  }

  async countLinks(tag: string): Promise<number> {
    this.requests += 1;
    return [...this.links.values()].filter(({ tags }) => (tags as string[]).includes(tag)).length;
  }

  async list(kind: 'tag' | 'domain' | 'webhook', filter: Fields = {}): Promise<Row[]> {
    this.requests += 1;
    const rows = [...this.tableOf(kind).values()];
    return structuredClone(
      rows.filter((row) => Object.entries(filter).every(([field, value]) => row[field] === value)),
    );
  }

  async create(kind: 'tag' | 'domain' | 'webhook', body: Fields, { dryRun }: Rehearsal = {}): Promise<Row> {
    this.write();
    const table = this.tableOf(kind);
    const isTwin = (row: Row) =>
      (kind === 'tag' && String(row.name).toLowerCase() === String(body.name).toLowerCase()) ||
      (kind === 'domain' && row.hostname === body.hostname) ||
      (kind === 'webhook' && body.external_id != null && row.external_id === body.external_id);
    if ([...table.values()].some(isTwin)) throw refusal('conflict', `There is such a ${kind} already.`);
    const row = this.rowOf(kind, body);
    if (!dryRun) table.set(row.id, row);
    return structuredClone({ ...row, ...(kind === 'webhook' ? { secret: 'whsec_test' } : {}) });
  }

  async update(
    kind: 'tag' | 'domain' | 'webhook' | 'link',
    id: string,
    body: Fields,
    { dryRun }: Rehearsal = {},
  ): Promise<Row> {
    this.write();
    if (kind === 'link') {
      const [result] = this.changeLink(id, body, dryRun);
      if (result?.error) throw refusal(result.error.code, result.error.message);
      return structuredClone(this.links.get(id) as Row);
    }
    const row = this.tableOf(kind).get(id);
    if (!row) throw refusal('not_found', `There is no such ${kind}.`);
    if (dryRun) return row;
    Object.assign(row, structuredClone(body), { updated_at: this.now() });
    if (kind === 'webhook' && 'scope' in body) row.scope = this.scopeOf(body.scope);
    return structuredClone(row);
  }

  async remove(kind: 'tag' | 'webhook', id: string, { dryRun }: Rehearsal = {}): Promise<void> {
    this.write();
    const row = this.tableOf(kind).get(id);
    if (!row) throw refusal('not_found', `There is no such ${kind}.`);
    if (dryRun) return;
    this.tableOf(kind).delete(id);
    if (kind === 'tag')
      for (const link of this.links.values()) link.tags = (link.tags as string[]).filter((name) => name !== row.name);
  }

  async turn(id: string, to: 'enable' | 'disable', { dryRun }: Rehearsal = {}): Promise<void> {
    this.write();
    if (dryRun) return;
    const set =
      to === 'enable'
        ? { status: 'enabled', disabled_reason: null }
        : { status: 'disabled', disabled_reason: 'manual' };
    Object.assign(this.webhooks.get(id) as Row, set, { updated_at: this.now() });
  }

  async putLinks(links: Fields[], { dryRun }: Rehearsal = {}): Promise<BulkResult[]> {
    this.write();
    if (links.length > 1000) throw refusal('validation_failed', 'links: Must have at most 1000 entries.');
    return links.map((body, index) => ({ ...this.putLink(body, dryRun), index }));
  }

  async patchLinks(ids: string[], set: Fields, { dryRun }: Rehearsal = {}): Promise<BulkResult[]> {
    this.write();
    return ids.flatMap((id, index) => this.changeLink(id, set, dryRun).map((result) => ({ ...result, index })));
  }

  async removeLinks(ids: string[], { dryRun }: Rehearsal = {}): Promise<BulkResult[]> {
    this.write();
    return ids.map((id, index) => {
      const error = this.links.has(id) ? null : { code: 'not_found', message: 'There is no such link.' };
      if (!dryRun) this.links.delete(id);
      return { index, status: error ? 'failed' : 'deleted', error };
    });
  }

  /** Adds a link as the dashboard would, without an owner. */
  addLink(body: Fields): Row {
    const row = this.rowOf('link', { domain: 'go.example.com', slug: `s${this.counter}`, ...body });
    this.links.set(row.id, row);
    return row;
  }

  private write(): void {
    this.beforeWrite();
    this.requests += 1;
    this.writes += 1;
  }

  private now(): string {
    this.counter += 1;
    return new Date(Date.UTC(2026, 0, 1) + this.counter).toISOString();
  }

  private tableOf(kind: string): Map<string, Row> {
    return kind === 'tag' ? this.tags : kind === 'domain' ? this.domains : this.webhooks;
  }

  private linkBy(by: Fields): Row | undefined {
    return [...this.links.values()].find((row) => Object.entries(by).every(([field, value]) => row[field] === value));
  }

  private rowOf(kind: string, body: Fields): Row {
    const at = this.now();
    const base: Fields = { id: `${kind}_${this.counter}`, created_at: at, updated_at: at, managed_by: null };
    if (kind === 'link') return this.shown({ ...base, ...structuredClone(NEW_LINK), ...structuredClone(body) });
    const defaults: Record<string, Fields> = {
      tag: { color: null },
      domain: {
        kind: 'link',
        status: 'verified',
        root_destination: null,
        not_found_destination: null,
        expired_destination: null,
      },
      webhook: {
        description: null,
        event_types: ['*'],
        include_bots: false,
        batch: null,
        max_in_flight: 10,
        external_id: null,
        status: 'enabled',
        disabled_reason: null,
      },
    };
    const scope = kind === 'webhook' ? { scope: this.scopeOf(body.scope) } : {};
    return { ...base, ...defaults[kind], ...structuredClone(body), ...scope } as Row;
  }

  private scopeOf(scope: unknown): Fields {
    const { link_id, tag_id } = (scope ?? {}) as { link_id?: string; tag_id?: string };
    if (link_id?.startsWith('ext_')) {
      const link = this.linkBy({ external_id: link_id.slice(4) });
      if (!link) throw refusal('validation_failed', 'There is no such link.');
      return { link_id: link.id };
    }
    if (tag_id) return { tag_id };
    return { project_id: 'prj_1' };
  }

  /** As the server answers: groups with all fields, tags by their first spelling, the password hidden. */
  private shown(row: Fields): Row {
    for (const [group, fields] of Object.entries(GROUPS)) {
      const value = row[group] as Fields | null | undefined;
      if (value) row[group] = Object.fromEntries(fields.map((field) => [field, value[field] ?? null]));
    }
    for (const field of ['starts_at', 'expires_at'])
      if (row[field]) row[field] = new Date(String(row[field])).toISOString();
    row.data ??= {};
    row.tags = this.tagNames((row.tags ?? []) as string[]);
    if ('password' in row) row.password_protected = row.password !== null;
    delete row.password;
    if ('archived' in row) row.archived_at = row.archived ? this.now() : null;
    delete row.archived;
    return row as Row;
  }

  private tagNames(names: string[]): string[] {
    const found = names.map((name) => {
      const known = [...this.tags.values()].find((row) => String(row.name).toLowerCase() === name.toLowerCase());
      if (known) return String(known.name);
      const made = this.rowOf('tag', { name });
      this.tags.set(made.id, made);
      return name;
    });
    return [...new Set(found)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  }

  private putLink(body: Fields, dryRun?: boolean): BulkResult {
    const { id, ...fields } = body;
    const known = id === undefined ? this.linkBy({ external_id: body.external_id }) : this.links.get(String(id));
    if (known) return this.changeLink(known.id, fields, dryRun)[0] as BulkResult;
    if (id !== undefined) return failed('not_found', 'There is no such link.');
    if (body.destination === undefined) return failed('validation_failed', 'destination: Is required.');
    const slug = body.slug ?? `gen${this.counter}`;
    const domain = String(body.domain ?? 'go.example.com').toLowerCase();
    if (this.linkBy({ domain, slug })) return failed('slug_taken', `The slug "${slug}" is already used on ${domain}.`);
    const row = this.rowOf('link', { ...body, slug, domain });
    if (!dryRun) this.links.set(row.id, row);
    return { index: 0, status: 'created', error: null };
  }

  private changeLink(id: string, body: Fields, dryRun?: boolean): BulkResult[] {
    const row = this.links.get(id);
    if (!row) return [failed('not_found', 'There is no such link.')];
    const next = this.shown({ ...row, ...structuredClone(body) });
    const twin = (by: Fields) =>
      [...this.links.values()].some(
        (one) => one !== row && Object.entries(by).every(([field, value]) => one[field] === value),
      );
    if (twin({ domain: next.domain, slug: next.slug })) return [failed('slug_taken', 'Is used.')];
    if (next.external_id !== null && twin({ external_id: next.external_id })) return [failed('conflict', 'Is used.')];
    if (!dryRun) this.links.set(id, { ...next, updated_at: this.now() });
    return [{ index: 0, status: 'updated', error: null }];
  }
}

function failed(code: string, message: string): BulkResult {
  return { index: 0, status: 'failed', error: { code, message } };
}
