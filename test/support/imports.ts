import { expect } from 'chai';
import type { Api, Reply } from './api.ts';
import { until } from './until.ts';

const HEADERS = { 'Content-Type': 'text/csv' };

/** Sends a CSV file to be imported. */
export function postCsv(api: Api, csv: string | Buffer, query: Record<string, string> = {}): Promise<Reply> {
  return api('POST', `/imports?${new URLSearchParams(query)}`, undefined, { raw: csv, headers: HEADERS });
}

/** The import when it has ended. */
// biome-ignore lint/suspicious/noExplicitAny: an import as on the wire
export function ended(api: Api, id: string): Promise<any> {
  return until(async () => {
    const { body } = await api('GET', `/imports/${id}`);
    return ['finished', 'failed', 'cancelled'].includes(body.status) ? body : null;
  }, 'the end of the import');
}

/** Imports a CSV file, and gives the import when it has ended. */
// biome-ignore lint/suspicious/noExplicitAny: an import as on the wire
export async function importCsv(api: Api, csv: string, query: Record<string, string> = {}): Promise<any> {
  const reply = await postCsv(api, csv, query);
  expect(reply.status, JSON.stringify(reply.body)).to.equal(202);
  return ended(api, reply.body.id);
}
