import type { Place } from '../geo/geoip.ts';
import type { Origin } from '../models/Install.ts';
import type { DeviceFacts } from './decide/compareDevices.ts';

/** What analytics groups and filters app openings and app events by. */
export interface Dimensions {
  linkId: string | null;
  domain: string | null;
  slug: string | null;
  platform: string | null;
  device: string | null;
  appVersion: string | null;
  language: string | null;
  country: string | null;
  region: string | null;
  city: string | null;
  origin: Origin | null;
}

export const DIMENSION_COLUMNS = {
  link_id: 'text',
  domain: 'text',
  slug: 'text',
  platform: 'text',
  device: 'text',
  app_version: 'text',
  language: 'text',
  country: 'text',
  region: 'text',
  city: 'text',
  origin: 'json',
} as const;

/** The values in the order of DIMENSION_COLUMNS. */
export function dimensionValues(dimensions: Dimensions): unknown[] {
  const { linkId, domain, slug, platform, device, appVersion, language, country, region, city, origin } = dimensions;
  return [
    linkId,
    domain,
    slug,
    platform,
    device,
    appVersion,
    language,
    country,
    region,
    city,
    origin && JSON.stringify(origin),
  ];
}

/** The dimensions that follow from device and place, with the values that clicks use. */
export function dimensionsOfDevice(
  { platform, deviceModel, language }: Pick<DeviceFacts, 'platform' | 'deviceModel' | 'language'>,
  { country, region, city }: Place,
) {
  const normalized = language?.toLowerCase().replaceAll('_', '-') ?? null;
  return { platform, device: deviceKind(platform, deviceModel), language: normalized, country, region, city };
}

/** The kind of device, as clicks have it; null for the web, where it is unknown. */
export function deviceKind(platform: string, model: string | null): 'mobile' | 'tablet' | null {
  if (platform === 'web') return null;
  return /ipad|tablet|\btab\b/i.test(model ?? '') ? 'tablet' : 'mobile';
}
