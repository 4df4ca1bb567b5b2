import { matchOf } from '../../events/presentMatch.ts';
import type { Install } from '../../models/Install.ts';

/** An install as the API shows it. */
export function shownInstall(install: Install) {
  const { id, projectId, installId, platform, appVersion, osVersion, firstOpenedAt, clickId, linkId } = install;
  const { matchRevisedAt } = install;
  const { createdAt, updatedAt } = install;
  return {
    ...{ id, projectId, installId, platform, appVersion, osVersion, firstOpenedAt },
    match: matchOf(install),
    matchRevisedAt,
    ...{ clickId, linkId, createdAt, updatedAt },
  };
}

export type ShownInstall = ReturnType<typeof shownInstall>;
