// stores: none
import { expect } from 'chai';
import { parseVisitor } from '../../../src/routing/visitor.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const SAFARI = 'Mobile/15E148 Safari/604.1';

const iphone = (system: string, rest: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) ${WEBKIT} ${rest}`;
const ipad = (system: string, rest: string) => `Mozilla/5.0 (iPad; CPU OS ${system} like Mac OS X) ${WEBKIT} ${rest}`;
const android = (device: string, rest: string) => `Mozilla/5.0 (Linux; ${device}) ${BLINK} ${rest}`;
const webView = (device: string, chrome: string) =>
  android(`${device}; wv`, `Version/4.0 ${chrome} Mobile Safari/537.36`);

/** What they send, by the browser: version of the system and model that can be believed. */
const AGENTS: Record<string, [agent: string, osVersion: string | null, deviceModel: string | null]> = {
  'Safari on iOS 16': [iphone('16_7_10', `Version/16.6 ${SAFARI}`), '16.7.10', 'iPhone'],
  'Safari newer than iOS by a patch': [iphone('16_6', `Version/16.6.1 ${SAFARI}`), '16.6', 'iPhone'],
  'Safari on iOS 17': [iphone('17_5_1', `Version/17.5 ${SAFARI}`), '17.5.1', 'iPhone'],
  'Safari on iOS 18': [iphone('18_6', `Version/18.6 ${SAFARI}`), '18.6', 'iPhone'],
  'Safari on iOS 26, which calls itself 18.6': [iphone('18_6', `Version/26.0 ${SAFARI}`), '26.0', 'iPhone'],
  'Safari on iOS 26.3, which calls itself 18.7': [iphone('18_7', `Version/26.3 ${SAFARI}`), '26.3', 'iPhone'],
  'Safari on iPadOS 17': [ipad('17_6_1', `Version/17.6 ${SAFARI}`), '17.6.1', 'iPad'],
  'Safari on iPadOS 26': [ipad('18_6', `Version/26.0 ${SAFARI}`), '26.0', 'iPad'],
  'Safari on an iPod': [
    `Mozilla/5.0 (iPod touch; CPU iPhone OS 15_8_3 like Mac OS X) ${WEBKIT} Version/15.6.6 ${SAFARI}`,
    '15.8.3',
    'iPod touch',
  ],
  'Safari on an iPad that looks like a Mac': [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.6 Safari/605.1.15`,
    null,
    null,
  ],
  'Chrome on iOS 18': [iphone('18_5', `CriOS/137.0.7151.79 ${SAFARI}`), '18.5', 'iPhone'],
  'Chrome on iOS 26': [iphone('26_0', `CriOS/141.0.7390.41 ${SAFARI}`), '26.0', 'iPhone'],
  'Firefox on iOS 18.3': [iphone('18_3', 'FxiOS/136.0 Mobile/15E148 Safari/605.1.15'), '18.3', 'iPhone'],
  'Firefox on iOS 26, or 18.7': [iphone('18_7', `FxiOS/143.0 Mobile/15E148 Safari/605.1.15`), null, 'iPhone'],
  'Instagram on iOS 18.3': [
    iphone('18_3_2', 'Mobile/22D82 Instagram 371.1.0.25.67 (iPhone15,3; iOS 18_3_2; en_US; en; scale=3.00; 1290x2796)'),
    '18.3.2',
    'iPhone15,3',
  ],
  'Facebook on iOS 26, which calls itself 18.7': [
    iphone('18_7', 'Mobile/15E148 [FBAN/FBIOS;FBAV/531.0.0.45.72;FBDV/iPhone16,1;FBMD/iPhone;FBSN/iOS;FBSV/26.0.1]'),
    '26.0.1',
    'iPhone16,1',
  ],
  'Facebook on iOS 18.1': [
    iphone('18_1_1', 'Mobile/22B91 [FBAN/FBIOS;FBAV/491.0.0.50.107;FBDV/iPhone17,2;FBMD/iPhone;FBSN/iOS;FBSV/18.1.1]'),
    '18.1.1',
    'iPhone17,2',
  ],
  'Instagram on iOS 26, which calls itself 18.7': [
    iphone('18_7', 'Mobile/15E148 Instagram 403.0.0.30.68 (iPhone17,3; iOS 26_1; de_DE; de; scale=3.00; 1179x2556)'),
    '26.1',
    'iPhone17,3',
  ],
  'Chrome on iOS 18.6, which tells the truth': [iphone('18_6', `CriOS/141.0.7390.41 ${SAFARI}`), '18.6', 'iPhone'],
  'a browser inside an app on iOS 26, or 18.7': [
    iphone('18_7', 'Mobile/15E148 Instagram 403.0.0.30.68'),
    null,
    'iPhone',
  ],
  'the same on iOS 26, or 18.6': [iphone('18_6', 'Mobile/15E148 Instagram 398.0.0.23.78'), null, 'iPhone'],
  'Chrome on Android': [android('Android 10; K', 'Chrome/140.0.0.0 Mobile Safari/537.36'), null, null],
  'Chrome on an Android tablet': [android('Android 10; K', 'Chrome/140.0.0.0 Safari/537.36'), null, null],
  'Samsung Internet': [
    android('Android 10; K', 'SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36'),
    null,
    null,
  ],
  'a browser inside an app on Android 16': [webView('Android 10; K', 'Chrome/141.0.0.0'), null, null],
  'Chrome that tells more': [
    android('Android 14; Pixel 8 Pro', 'Chrome/131.0.6778.39 Mobile Safari/537.36'),
    '14',
    'Pixel 8 Pro',
  ],
  'Chrome on a real Android 10': [
    android('Android 10; SM-G973F', 'Chrome/100.0.4896.127 Mobile Safari/537.36'),
    '10',
    'SM-G973F',
  ],
  'an old Samsung Internet': [
    android('Android 13; SAMSUNG SM-S911B', 'SamsungBrowser/21.0 Chrome/110.0.5481.154 Mobile Safari/537.36'),
    '13',
    'SM-S911B',
  ],
  'Instagram on Android 15': [
    `${webView('Android 15; Pixel 9 Build/AP4A.250205.002', 'Chrome/133.0.6943.49')} Instagram 369.0.0.46.101 Android (35/15; 420dpi; 1080x2424; Google/google; Pixel 9; tokay; tokay; de_DE)`,
    '15',
    'Pixel 9',
  ],
  'Facebook on Android 14': [
    `${webView('Android 14; SM-S918B Build/UP1A.231005.007', 'Chrome/131.0.6778.135')} [FB_IAB/FB4A;FBAV/491.0.0.63.80;IABMV/1;]`,
    '14',
    'SM-S918B',
  ],
  'Firefox on Android': ['Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0', '15', null],
  'Chrome on Windows': ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36', null, null],
};

describe('what a browser tells of its device', () => {
  for (const [name, [userAgent, osVersion, deviceModel]] of Object.entries(AGENTS))
    it(name, () => {
      const visitor = parseVisitor({ userAgent }, 'GET');
      expect([visitor.osVersion, visitor.deviceModel]).to.deep.equal([osVersion, deviceModel]);
    });

  it('in at most 64 characters', () => {
    const userAgent = android(`Android 14; SM-${'9'.repeat(100)}`, 'Chrome/131.0.6778.39 Mobile Safari/537.36');
    expect(parseVisitor({ userAgent }, 'GET').deviceModel).to.equal(`SM-${'9'.repeat(61)}`);
  });
});
