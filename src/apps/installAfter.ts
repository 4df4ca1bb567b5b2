import type { Opening } from './Opening.ts';
import type { OpenRow } from './opens.ts';
import type { InstallRow } from './writeInstalls.ts';

/**
 * What is known of an install after an opening. A first opening makes it known, or says that the app was installed anew:
 * what it was traced back to then takes the place of what was known before, nothing does not.
 */
export function installAfter(before: InstallRow | null, opening: Opening, open: OpenRow, id: string): InstallRow {
  const at = new Date(opening.atMs);
  const known: InstallRow = before ?? newInstall(opening, id);
  const { osVersion } = opening.device;
  const seen = {
    ...known,
    platform: opening.device.platform,
    appVersion: opening.appVersion ?? known.appVersion,
    osVersion: osVersion ?? known.osVersion,
    device: open.device ?? known.device,
    language: open.language ?? known.language,
    updatedAt: at,
  };
  if (!opening.isFirst) return seen;
  const first = { ...seen, installedAt: known.installedAt ?? at, firstOpenId: open.id, firstOpenAt: at };
  return open.kind === 'install' || open.method !== 'none' ? { ...first, ...attributionOf(open, at) } : first;
}

function attributionOf(open: OpenRow, at: Date) {
  const { method, confidence, factors, clickedAt, clickId, linkId, domain, slug, origin } = open;
  const attributedAt = linkId === null ? null : at;
  return {
    method,
    confidence,
    factors,
    clickedAt,
    clickId,
    linkId,
    domain,
    slug,
    origin,
    attributedAt,
    matchRevisedAt: null,
  };
}

function newInstall({ projectId, installId, device, atMs }: Opening, id: string): InstallRow {
  const at = new Date(atMs);
  return {
    ...{ id, projectId, installId, platform: device.platform, appVersion: null, osVersion: null },
    ...{ device: null, language: null },
    ...{ firstOpenedAt: at, installedAt: null, firstOpenId: null, firstOpenAt: null },
    ...{ method: 'none', confidence: 0, factors: [], clickedAt: null, clickId: null },
    ...{ linkId: null, attributedAt: null, matchRevisedAt: null, domain: null, slug: null, origin: null },
    ...{ createdAt: at, updatedAt: at },
  };
}
