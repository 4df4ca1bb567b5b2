import { inList, inListValue } from '../db/dialects.ts';
import { insertInto } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { updateRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { chunksOf } from '../kernel/chunks.ts';
import { now } from '../kernel/clock.ts';
import { Link } from '../models/Link.ts';
import type { Project } from '../models/Project.ts';
import { SortedTags, setLinkTags, tagsByName } from '../tags/linkTagStore.ts';
import { type TagOfLink, tagKey } from '../tags/tagNames.ts';
import { separateTimes } from './staleChange.ts';

/** Writes a changed link and its tags. */
export interface LinkWriter {
  /** Sets the tags of the link to exactly these names. Returns them in alphabetical order. */
  setTags(link: Link, names: string[]): Promise<TagOfLink[]>;
  /** Writes what was set, and moves `updatedAt`. */
  save(link: Link): Promise<void>;
}

/** Writes each link at once: later changes of a list must find its address taken, or its old one free. */
export function writeAtOnce({ id: projectId }: Project, transaction: Transaction): LinkWriter {
  return {
    setTags: (link, names) => setLinkTags(projectId, link.id, names, transaction),
    async save(link) {
      // Tags are in a table of their own: a change of tags alone would not move `updated_at`.
      link.changed('updatedAt', true);
      const updatedBefore = link.updatedAt;
      await link.save({ transaction });
      await separateTimes(link, updatedBefore, transaction);
    },
  };
}

/** Links of one UPDATE: a larger one would delay other queries. */
const LINKS_PER_STATEMENT = 100;

/** Collects changed links and writes them together: a few statements for each would take most of the time of a long list. */
export class LinkBatch implements LinkWriter {
  readonly #transaction: Transaction;
  readonly #tags: SortedTags;
  readonly #changed = new Map<string, Link>();
  readonly #retagged = new Map<string, string[]>();

  private constructor(transaction: Transaction, tags: SortedTags) {
    this.#transaction = transaction;
    this.#tags = tags;
  }

  /** A batch whose links may get tags of these names; unknown ones are created. */
  static async open({ id }: Project, tagNames: string[], transaction: Transaction): Promise<LinkBatch> {
    const tags = await tagsByName(id, [...new Set(tagNames)], transaction);
    return new LinkBatch(transaction, new SortedTags(tags));
  }

  async setTags(link: Link, names: string[]): Promise<TagOfLink[]> {
    const tags = this.#tags.named(names);
    if (tags.length < new Set(names.map(tagKey)).size) throw new Error('The batch was opened without these tags');
    this.#retagged.set(
      link.id,
      tags.map(({ id }) => id),
    );
    return tags;
  }

  async save(link: Link): Promise<void> {
    // Two changes of a link within a millisecond are told apart by their times, as `separateTimes` does.
    const updatedAt = new Date(Math.max(now().getTime(), link.updatedAt.getTime() + 1));
    link.set('updatedAt', updatedAt, { raw: true });
    this.#changed.set(link.id, link);
  }

  /** Writes what was collected. */
  async flush(): Promise<void> {
    const links = [...this.#changed.values()];
    this.#changed.clear();
    for (const part of chunksOf(links, LINKS_PER_STATEMENT)) await updateChanged(part, this.#transaction);
    const retagged = [...this.#retagged];
    this.#retagged.clear();
    if (retagged.length === 0) return;
    const ids = inListValue(retagged.map(([id]) => id));
    await queryRaw(`DELETE FROM link_tags WHERE ${inList('link_id', '$1')}`, [ids], this.#transaction);
    const pairs = retagged.flatMap(([id, tagIds]) => tagIds.map((tagId): [string, string] => [id, tagId]));
    await insertInto('link_tags', { link_id: 'text', tag_id: 'text' }, pairs, { transaction: this.#transaction });
  }
}

/** Writes the columns that differ in any of these locked links. */
async function updateChanged(links: Link[], transaction: Transaction): Promise<void> {
  const attributes = new Set(['id', 'updatedAt', ...links.flatMap((link) => link.changed() || [])]);
  const rows = links.map((link) => {
    const values = link.get() as Record<string, unknown>;
    return Object.fromEntries([...attributes].map((name) => [name, values[name]])) as { id: string };
  });
  await updateRows(Link, rows, {}, transaction);
}
