/** What a User-Agent text gives away of a device, beyond its platform. Null: it does not, or not truly. */
export interface AgentDevice {
  /** As `18.6` or `15`. */
  osVersion: string | null;
  /** As `iPhone`, `iPad` or `Pixel 9`. */
  deviceModel: string | null;
}

interface Parsed {
  platform: string;
  osVersion: string | undefined;
  deviceModel: string | undefined;
}

const NOTHING: AgentDevice = { osVersion: null, deviceModel: null };

/** From iOS 26 on Safari says 18.6 or 18.7 for its system, whatever it is; its own version tells more. */
const FROZEN_IOS = /^18\.[67]\b/;

/** What phones and tablets say of themselves; of other platforms nothing is asked. */
export function agentDevice(text: string, { platform, osVersion, deviceModel }: Parsed): AgentDevice {
  if (platform === 'ios') return { osVersion: iosVersion(text, osVersion), deviceModel: bounded(deviceModel) };
  if (platform !== 'android') return NOTHING;
  // Chrome's reduced text, the same for every phone: Android 10; K.
  if (/Android 10; K\)/.test(text)) return NOTHING;
  return { osVersion: bounded(osVersion), deviceModel: bounded(deviceModel) };
}

function iosVersion(text: string, stated: string | undefined): string | null {
  const [, safari] = /Version\/(\d{1,3}(?:\.\d{1,3}){0,2})/.exec(text) ?? [];
  if (safari !== undefined && Number.parseInt(safari, 10) > Number.parseInt(stated ?? '0', 10)) return safari;
  // A browser inside an app has no version of Safari.
  if (safari === undefined && stated !== undefined && FROZEN_IOS.test(stated)) return null;
  return bounded(stated);
}

function bounded(value: string | undefined): string | null {
  return value?.slice(0, 64) || null;
}
