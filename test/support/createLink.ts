import { expect } from 'chai';
import type { Api } from './api.ts';

export interface MadeLink {
  id: string;
  slug: string;
}

/** Makes a link through REST; fails with the answer when it is refused. */
export async function createLink(api: Api, body: object): Promise<MadeLink> {
  const { status, body: link } = await api('POST', '/links', body);
  expect(status, JSON.stringify(link)).to.equal(201);
  return link;
}
