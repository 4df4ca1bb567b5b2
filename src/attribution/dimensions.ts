import type { DeviceFacts } from '../matching/deviceFacts.ts';
import type { Origin } from '../models/Install.ts';
import type { Place } from '../redirect/places.ts';

/** What an opening or an event of an app is grouped and filtered by; see analytics. */
export interface Figures {
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

export const FIGURE_COLUMNS = {
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

/** In the order of FIGURE_COLUMNS. */
export function figureValues(figures: Figures): unknown[] {
  const { linkId, domain, slug, platform, device, appVersion, language, country, region, city, origin } = figures;
  const written = origin && JSON.stringify(origin);
  return [linkId, domain, slug, platform, device, appVersion, language, country, region, city, written];
}

/** What the device and its address tell, in the words that clicks have for it. */
export function figuresOfDevice(
  { platform, deviceModel, language }: Pick<DeviceFacts, 'platform' | 'deviceModel' | 'language'>,
  { country, region, city }: Place,
) {
  const spoken = language?.toLowerCase().replaceAll('_', '-') ?? null;
  return { platform, device: deviceKind(platform, deviceModel), language: spoken, country, region, city };
}

/** As a click's: phone or tablet. Of the web nothing is known. */
export function deviceKind(platform: string, model: string | null): 'mobile' | 'tablet' | null {
  if (platform === 'web') return null;
  return /ipad|tablet|\btab\b/i.test(model ?? '') ? 'tablet' : 'mobile';
}
