import type { Draws } from './Draws.ts';

const APPLE = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const GOOGLE = 'AppleWebKit/537.36 (KHTML, like Gecko)';
/** Major versions of Chrome: phones update within some weeks. */
const CHROMES = [
  [146, 55],
  [145, 25],
  [144, 8],
  [138, 7],
  [131, 5],
] as const;

/** An iPad, or a Mac. */
export const MACINTOSH = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.2 Safari/605.1.15`;
export const DESKTOPS = [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${GOOGLE} Chrome/146.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${GOOGLE} Chrome/145.0.0.0 Safari/537.36 Edg/145.0.0.0`,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:147.0) Gecko/20100101 Firefox/147.0',
  MACINTOSH,
];

interface Iphone {
  draws: Draws;
  version: string;
  /** The part of the system in the text: `18_6`. */
  stated: string;
  safari: string;
  model: string;
  language: string;
}

/**
 * Safari, a browser inside an app, Chrome, as they were seen in logs of 2026. Chrome and some apps tell the system as it
 * is; others keep to what Safari says, and add it as it is behind.
 */
export function agentsOfIphone({ draws, version, stated, safari, model, language }: Iphone) {
  const system = (text: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS ${text} like Mac OS X) ${APPLE}`;
  const truly = version.replaceAll('.', '_');
  const locale = language.replace('-', '_');
  const facebook = `[FBAN/FBIOS;FBAV/551.0.0.27.107;FBBV/897058033;FBDV/${model};FBMD/iPhone;FBSN/iOS;FBSV/${version};FBSS/3;FBID/phone;FBLC/${locale};FBOP/5]`;
  const insideApp = draws.pick([
    `${system(stated)} Mobile/23D127 Instagram 409.1.0.27.161 (${model}; iOS ${truly}; ${locale}; ${language.slice(0, 2)}; scale=3.00; 1179x2556; IABMV/1; 841016381) Safari/604.1`,
    `${system(stated)} Mobile/15E148 ${facebook}`,
    `${system(truly)} Mobile/23D127 Safari/604.1 ${facebook}`,
    `${system(stated)} Mobile/15E148`,
  ]);
  return {
    safari: `${system(stated)} Version/${safari} Mobile/15E148 Safari/604.1`,
    inApp: insideApp,
    chrome: `${system(truly)} CriOS/${draws.weighed(CHROMES)}.0.7632.108 Mobile/15E148 Safari/604.1`,
  };
}

interface Android {
  draws: Draws;
  version: string;
  maker: string;
  model: string;
  language: string;
}

/** Chrome and Samsung Internet say the same for every phone; Firefox tells the system, browsers inside apps the model too. */
export function agentsOfAndroid({ draws, version, maker, model, language }: Android) {
  const chrome = draws.weighed(CHROMES);
  const view = `Mozilla/5.0 (Linux; Android ${version}; ${model} Build/AP3A.240905.015; wv) ${GOOGLE} Version/4.0 Chrome/${chrome}.0.7632.120 Mobile Safari/537.36`;
  const insideApp = draws.pick([
    `Instagram 418.0.0.51.77 Android (35/${version}; 450dpi; 1080x2340; ${maker === 'Google' ? 'Google/google' : maker}; ${model}; e1s; s5e9945; ${language.replace('-', '_')}; 812345678)`,
    '[FB_IAB/FB4A;FBAV/548.0.0.51.75;]',
    '',
  ]);
  return {
    chrome: `Mozilla/5.0 (Linux; Android 10; K) ${GOOGLE} Chrome/${chrome}.0.0.0 Mobile Safari/537.36`,
    samsung: `Mozilla/5.0 (Linux; Android 10; K) ${GOOGLE} SamsungBrowser/${draws.whole(27, 30)}.0 Chrome/${chrome - 12}.0.0.0 Mobile Safari/537.36`,
    firefox: `Mozilla/5.0 (Android ${version}; Mobile; rv:147.0) Gecko/147.0 Firefox/147.0`,
    inApp: `${view} ${insideApp}`.trim(),
  };
}
