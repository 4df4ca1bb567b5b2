import type { DEVICES, PLATFORMS } from '../platforms.ts';

/** Who is played when a link is traced. */
export interface Visitor {
  platform?: (typeof PLATFORMS)[number] | null;
  device?: (typeof DEVICES)[number] | null;
  country?: string | null;
  language?: string | null;
  referrerHost?: string | null;
  query?: string | null;
  at?: string | null;
}

/** The country of the browser's language, as far as it names one. */
const HERE = new Intl.Locale(navigator.language).region ?? null;
const LANGUAGE = navigator.language.split('-')[0] ?? null;

export const PRESETS: Record<'iphone' | 'android' | 'desktop', Visitor> = {
  iphone: { platform: 'ios', device: 'mobile', country: HERE, language: LANGUAGE },
  android: { platform: 'android', device: 'mobile', country: HERE, language: LANGUAGE },
  desktop: { platform: 'windows', device: 'desktop', country: HERE, language: LANGUAGE },
};
