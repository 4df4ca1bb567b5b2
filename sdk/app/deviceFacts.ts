import type { RecordOpen } from './api.ts';
import { host } from './host.ts';
import type { SvcOptions } from './types.ts';

/** What is known of the device: what the app says, else what the host does. */
export function deviceFacts(options: SvcOptions): Pick<RecordOpen, 'platform'> & Partial<RecordOpen> {
  const intl = intlFacts();
  return {
    platform: platformOf(options) || 'web',
    app_version: options.appVersion,
    os_version: options.osVersion,
    device_model: options.deviceModel,
    language: options.language || host.navigator?.language || intl.locale,
    timezone: options.timezone || intl.timeZone,
    screen: options.screen || screenOfPage(),
  };
}

/** undefined: React Native, which does not say without a module of its own. */
export function platformOf({ platform }: Pick<SvcOptions, 'platform'>): RecordOpen['platform'] | undefined {
  if (platform) return platform;
  const told = host.Capacitor?.getPlatform?.();
  if (told === 'ios' || told === 'android') return told;
  return host.navigator?.product === 'ReactNative' ? undefined : 'web';
}

function intlFacts(): { locale?: string; timeZone?: string } {
  try {
    return new Intl.DateTimeFormat().resolvedOptions();
  } catch {
    return {};
  }
}

function screenOfPage(): RecordOpen['screen'] {
  const { document, screen, devicePixelRatio } = host;
  return document && screen ? { width: screen.width, height: screen.height, scale: devicePixelRatio } : undefined;
}
