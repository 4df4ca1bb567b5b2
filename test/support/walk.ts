import { expect } from 'chai';
import type { Api, Reply } from './api.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows of every list
type Row = any;

/** Every row of a list, page by page; `between` runs after each page but the last. */
export async function walk(
  api: Api,
  path: string,
  query: Record<string, string> = {},
  between: () => Promise<unknown> = async () => {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; await between()) {
    const reply: Reply = await api(
      'GET',
      `${path}?${new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) })}`,
    );
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    expect(reply.body).to.have.all.keys('data', 'next_cursor');
    rows.push(...reply.body.data);
    cursor = reply.body.next_cursor;
    if (cursor === null) return rows;
  }
}
