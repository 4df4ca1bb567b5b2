import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { World } from './world.ts';

type Fields = { [name: string]: unknown };

/** What tests of forms do with a record around the form: create it, and see what REST shows of it. */
export function recordsIn(world: Pick<World, 'api'>) {
  return {
    async create(path: string, body: Fields) {
      const reply = await world.api('POST', path, body);
      expect(reply.status, JSON.stringify(reply.body)).to.be.oneOf([200, 201]);
      return reply.body as Fields & { id: string };
    },
    /** A record as REST shows it, byte for byte, without what was changed and what changes by itself. */
    async rest(path: string, ...changed: string[]) {
      const { body } = await world.api('GET', path);
      const left = Object.entries(body as Fields).filter(([name]) => !['updated_at', ...changed].includes(name));
      return JSON.stringify(Object.fromEntries(left), null, 1);
    },
  };
}

/** Saves the form of a link, and waits for the page of the link. */
export async function saveLink(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save changes' }).press('Enter');
  await page.waitForURL(/\/app\/links\/lnk_[^/]+$/);
}
