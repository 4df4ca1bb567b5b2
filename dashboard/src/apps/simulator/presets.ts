import type { ClickInput, Inputs } from './inputs.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const OTHER_IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1';
/** Chrome tells neither model nor version. */
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

const ON_IPHONE: Inputs['open'] = {
  platform: 'ios',
  osVersion: '18.5',
  deviceModel: 'iPhone17,3',
  language: 'de-DE',
};

/** What somebody begins with who adds another click. */
export const OTHER_CLICK: ClickInput = {
  userAgent: OTHER_IPHONE,
  acceptLanguage: 'de-DE,de;q=0.9',
  secondsBefore: 90,
  link: 'gift-card',
};

export type Preset = 'iphone' | 'android' | 'carrier' | 'twoLinks';

/** Cases to begin with. Nothing in them needs the project to have a link. */
export const PRESETS: Record<Preset, Inputs> = {
  iphone: {
    click: { userAgent: IPHONE, acceptLanguage: 'de-DE,de;q=0.9', secondsBefore: 120, timezone: 'Europe/Berlin' },
    open: { ...ON_IPHONE, timezone: 'Europe/Berlin' },
  },
  android: {
    click: { userAgent: ANDROID, acceptLanguage: 'en-GB,en;q=0.9', secondsBefore: 180 },
    open: { platform: 'android', osVersion: '15', deviceModel: 'Google Pixel 9', language: 'en-GB' },
  },
  carrier: {
    click: { userAgent: IPHONE, acceptLanguage: 'de-DE,de;q=0.9', secondsBefore: 90 },
    open: ON_IPHONE,
    addressVisitors: 400,
  },
  twoLinks: {
    click: { userAgent: IPHONE, acceptLanguage: 'de-DE,de;q=0.9', secondsBefore: 60, link: 'autumn-sale' },
    open: ON_IPHONE,
    otherClicks: [OTHER_CLICK],
  },
};
