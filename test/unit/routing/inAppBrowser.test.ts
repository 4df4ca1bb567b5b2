// stores: none
import { expect } from 'chai';
import { parseVisitor } from '../../../src/routing/visitor.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-S918B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36';

/** [app, what it adds on iOS, what it adds on Android] */
const APPS: [string, string, string][] = [
  ['instagram', 'Mobile/15E148 Instagram 334.0.4.32.98 (iPhone13,2; iOS 17_5)', 'Instagram 334.0.0.42.95 Android'],
  ['facebook', 'Mobile/21F90 [FBAN/FBIOS;FBAV/468.0.0.34.74;FBDV/iPhone14,5]', '[FB_IAB/FB4A;FBAV/468.0.0.58.79;]'],
  ['facebook', 'Mobile/21F90 [FBAN/MessengerForiOS;FBAV/460.0]', '[FB_IAB/Orca-Android;FBAV/460.0;]'],
  ['tiktok', 'musical_ly_34.5.0 JsSdk/2.0 BytedanceWebview/d8a21c6', 'trill_2023405050 JsSdk/1.0 AppName/musical_ly'],
  ['line', 'Mobile/15E148 Safari Line/14.9.0', 'Line/14.9.1/IAB'],
  ['wechat', 'Mobile/15E148 MicroMessenger/8.0.49(0x1800312c)', 'XWEB/1160117 MicroMessenger/8.0.49.2600'],
  ['snapchat', 'Mobile/15E148 Snapchat/12.92.0.38 (like Safari)', 'Snapchat/12.92.0.38 (Pixel 8; Android 14#11)'],
  ['pinterest', 'Mobile/15E148 [Pinterest/iOS]', '[Pinterest/Android]'],
  ['linkedin', 'Mobile/15E148 [LinkedInApp]/9.29.8962', '[LinkedInApp]/4.1.945'],
  ['x', 'Mobile/15E148 Twitter for iPhone/10.43', 'TwitterAndroid'],
];

describe('a browser inside an app', () => {
  const read = (userAgent: string) => parseVisitor({ userAgent }, 'GET');

  for (const [app, onIos, onAndroid] of APPS) {
    it(`is recognized as that of ${app}, and its visitor as a person on a phone`, () => {
      const expected = { inApp: app, trafficClass: 'human' };
      expect(read(`${IPHONE} ${onIos}`)).to.include({ ...expected, platform: 'ios' });
      expect(read(`${ANDROID} ${onAndroid}`)).to.include({ ...expected, platform: 'android' });
    });
  }

  it('is not confused with real browsers or crawlers of the same companies', () => {
    const others = [
      `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`,
      `${ANDROID} Airline/2.0 Online/3`,
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'facebookexternalhit/1.1;line-poker/1.0',
      'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
      'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)',
      'Twitterbot/1.0',
    ];
    for (const agent of others) expect(read(agent).inApp, agent).to.equal(null);
  });
});
