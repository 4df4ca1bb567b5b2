import type { AppEventFacts, AppLinkFacts, AppPlatform, InstallFacts, OpenFacts } from '../events/presentApp.ts';
import type { MatchFacts, MatchMethod } from '../models/match.ts';

/** A row of `opens` with its install. On SQLite, JSON and times are text. */
export interface CollectedOpen {
  id: string;
  project_id: string;
  install_id: string;
  kind: 'install' | 'reinstall' | 'open';
  platform: AppPlatform;
  method: MatchMethod;
  confidence: number;
  factors: string | MatchFacts['factors'];
  clicked_at: string | Date | null;
  click_id: string | null;
  link_id: string | null;
  ins_id: string;
  app_version: string | null;
  os_version: string | null;
  first_opened_at: string | Date;
}

/** A row of `app_events`. */
export interface CollectedEvent {
  id: string;
  project_id: string;
  install_id: string;
  event_id: string;
  name: string;
  occurred_at: string | Date;
  value: number | null;
  currency: string | null;
  properties: string | Record<string, unknown> | null;
  outlier: boolean | number;
  link_id: string | null;
}

export function installFacts(open: CollectedOpen, link: AppLinkFacts | null): InstallFacts {
  return {
    install: {
      id: open.ins_id,
      installId: open.install_id,
      platform: open.platform,
      appVersion: open.app_version,
      osVersion: open.os_version,
      firstOpenedAt: new Date(open.first_opened_at),
    },
    match: matchFacts(open),
    clickId: open.click_id,
    link,
  };
}

export function openFacts(open: CollectedOpen, link: AppLinkFacts | null): OpenFacts {
  const { id: openId, install_id: installId, platform, method } = open;
  return { openId, installId, platform, direct: method === 'link', match: matchFacts(open), link };
}

export function eventFacts(row: CollectedEvent, link: AppLinkFacts | null): AppEventFacts {
  const { event_id: id, name, value, currency, properties, occurred_at, install_id: installId } = row;
  const event = { id, name, occurredAt: new Date(occurred_at), value, currency, properties: parsed(properties) };
  // SQLite stores booleans as numbers.
  return { event: { ...event, outlier: Boolean(row.outlier) }, installId, link };
}

function matchFacts({ method, confidence, factors, clicked_at }: CollectedOpen): MatchFacts {
  const clickedAt = clicked_at === null ? null : new Date(clicked_at);
  return { method, confidence, factors: parsed(factors), clickedAt };
}

function parsed<Value>(json: string | Value): Value {
  return typeof json === 'string' ? JSON.parse(json) : json;
}
