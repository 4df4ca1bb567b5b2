/** What a User-Agent text gives away of a device, beyond its platform. Null: it does not, or not truly. */
export interface AgentDevice {
  /** As `18.6` or `15`. */
  osVersion: string | null;
  /** As `iPhone`, `iPad` or `Pixel 9`; browsers inside apps tell `iPhone17,3`. */
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
  if (platform === 'ios') return { osVersion: iosVersion(text, osVersion), deviceModel: appleModel(text, deviceModel) };
  if (platform !== 'android') return NOTHING;
  // Chrome's reduced text, the same for every phone: Android 10; K. In apps it ends with wv.
  if (/Android 10; K[;)]/.test(text)) return NOTHING;
  return { osVersion: bounded(osVersion), deviceModel: bounded(deviceModel) };
}

/** Facebook's apps and Instagram tell the true version beside the other, and Chrome in its place. */
function iosVersion(text: string, stated: string | undefined): string | null {
  const [, facebook, instagram] = /FBSV\/([\d.]{1,12})|; iOS ([\d_]{1,12});/.exec(text) ?? [];
  const told = facebook ?? instagram?.replaceAll('_', '.');
  if (told) return told;
  if (text.includes(' CriOS/')) return bounded(stated);
  const [, safari] = /Version\/(\d{1,3}(?:\.\d{1,3}){0,2})/.exec(text) ?? [];
  if (safari !== undefined && Number.parseInt(safari, 10) > Number.parseInt(stated ?? '0', 10)) return safari;
  // Other browsers, and those inside other apps, have no version of Safari.
  if (safari === undefined && stated !== undefined && FROZEN_IOS.test(stated)) return null;
  return bounded(stated);
}

function appleModel(text: string, family: string | undefined): string | null {
  const [, facebook, instagram] = /FBDV\/(i\w{1,8},\d{1,3})|\((iP\w{1,8},\d{1,3});/.exec(text) ?? [];
  return facebook ?? instagram ?? bounded(family);
}

function bounded(value: string | undefined): string | null {
  return value?.slice(0, 64) || null;
}
