import DataLoader from 'dataloader';
import { actorNames } from '../src/services/audit/listAudit.ts';
import { tagsOfLinks } from '../src/services/links/linkTags.ts';
import { attemptsOfDeliveries } from '../src/services/webhooks/deliveries.ts';

/** Rows that belong to rows of a list, fetched once for the whole list. Made anew for each request. */
export function createLoaders() {
  return {
    linkTags: new DataLoader(async (linkIds: readonly string[]) => {
      const tags = await tagsOfLinks(linkIds);
      return linkIds.map((id) => (tags.get(id) ?? []).map((tag) => tag.name));
    }),
    actorNames: new DataLoader(async (ids: readonly string[]) => {
      const names = await actorNames(ids);
      return ids.map((id) => names.get(id) ?? null);
    }),
    attempts: new DataLoader(async (deliveryIds: readonly string[]) => {
      const attempts = await attemptsOfDeliveries(deliveryIds);
      return deliveryIds.map((id) => attempts.get(id) ?? []);
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
