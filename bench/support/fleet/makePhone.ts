import { agentsOfAndroid, agentsOfIphone, MACINTOSH } from './agents.ts';
import type { Assumptions } from './assumptions.ts';
import type { Draws } from './Draws.ts';
import type { Browser, Phone } from './Phone.ts';
import { ANDROID_VERSIONS, ANDROIDS, IOS_VERSIONS, IPAD, IPHONES } from './phoneModels.ts';

/** Who a phone is made for. */
export interface Owner {
  platform: Phone['platform'];
  country: string;
  /** As `de-DE`: of the web. */
  language: string;
  zone: string;
  /** Of the first in the household: families buy and update alike. */
  like: Phone | null;
}

/** Zones that travellers keep. */
const OTHER_ZONES = ['America/New_York', 'Asia/Dubai', 'Europe/Athens', 'Europe/Lisbon'];

export function makePhone(draws: Draws, owner: Owner, assumed: Assumptions): Phone {
  const phone = owner.platform === 'ios' ? makeIphone(draws, owner, assumed) : makeAndroid(draws, owner, assumed);
  if (draws.chance(assumed.otherZone)) phone.told.timezone = draws.pick(OTHER_ZONES);
  return phone;
}

/** An iPad whose Safari says Macintosh, as it does unless told otherwise. */
export function makePad(owner: Owner): Phone {
  const browsers = [{ agent: MACINTOSH, acceptLanguage: accepted(owner.language), share: 1, isRelayed: false }];
  const [device_model, width, height, scale] = IPAD;
  const told = { ...toldBy(owner), os_version: '26.2', device_model, screen: { width, height, scale } };
  return { platform: 'ios', told, browsers };
}

function makeIphone(draws: Draws, owner: Owner, assumed: Assumptions): Phone {
  const [device_model, width, height, scale] = likeFirst(
    draws,
    owner,
    assumed.modelLikeFirst,
    IPHONES,
    ([model], { device_model }) => model === device_model,
  );
  const [os_version, stated, safari] = likeFirst(
    draws,
    owner,
    assumed.versionLikeFirst,
    IOS_VERSIONS,
    ([version], told) => version === told.os_version,
  );
  const language = isForeign(owner) ? `${owner.language.slice(0, 2)}-${owner.country}` : owner.language;
  const agents = agentsOfIphone({ draws, stated, safari, version: os_version, model: device_model, language });
  const isRelayed = draws.chance(assumed.privateRelay);
  const browsers: Browser[] = Object.entries(assumed.iosBrowsers).map(([name, share]) => ({
    agent: agents[name as keyof typeof agents],
    acceptLanguage: languageOfBrowser(draws, owner, assumed),
    share,
    isRelayed: isRelayed && name === 'safari',
  }));
  const told = { ...toldBy(owner), os_version, device_model, language, screen: { width, height, scale } };
  return { platform: 'ios', told, browsers };
}

function makeAndroid(draws: Draws, owner: Owner, assumed: Assumptions): Phone {
  const [maker, model, width, height, scale] = likeFirst(
    draws,
    owner,
    assumed.modelLikeFirst,
    ANDROIDS,
    ([, model], { device_model }) => device_model.endsWith(model),
  );
  const os_version = likeFirst(
    draws,
    owner,
    assumed.versionLikeFirst,
    ANDROID_VERSIONS,
    (version, told) => version === told.os_version,
  );
  const agents = agentsOfAndroid({ draws, version: os_version, maker, model, language: owner.language });
  const browsers: Browser[] = Object.entries(assumed.androidBrowsers).map(([name, share]) => ({
    agent: agents[name as keyof typeof agents],
    acceptLanguage: languageOfBrowser(draws, owner, assumed, name),
    share,
    isRelayed: false,
  }));
  const device_model = draws.chance(0.5) ? model : `${maker} ${model}`;
  return {
    platform: 'android',
    told: { ...toldBy(owner), os_version, device_model, screen: { width, height, scale } },
    browsers,
  };
}

/** What the first phone of the household has, so often as families are alike; else any. */
function likeFirst<Entry>(
  draws: Draws,
  { platform, like }: Owner,
  share: number,
  entries: readonly (readonly [Entry, number])[],
  isOf: (entry: Entry, told: Phone['told']) => boolean,
): Entry {
  const same = like?.platform === platform ? entries.find(([entry]) => isOf(entry, like.told)) : undefined;
  return same && draws.chance(share) ? same[0] : draws.weighed(entries);
}

function toldBy({ platform, language, zone }: Pick<Owner, 'platform' | 'language' | 'zone'>) {
  return { platform, language, timezone: zone };
}

/** Their phone has the region of the country, which no language of the web is named by. */
function isForeign({ language, country }: Owner): boolean {
  return !language.endsWith(country);
}

/** Firefox names the language alone. */
function languageOfBrowser(draws: Draws, { language }: Owner, assumed: Assumptions, name = ''): string {
  if (draws.chance(assumed.otherBrowserLanguage))
    return language.startsWith('en') ? 'de-DE,de;q=0.9' : 'en-US,en;q=0.9';
  return name === 'firefox' ? `${language.slice(0, 2)},en-US;q=0.7,en;q=0.3` : accepted(language);
}

function accepted(language: string): string {
  return `${language},${language.slice(0, 2)};q=0.9`;
}
