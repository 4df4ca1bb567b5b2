/** What apps add to the User-Agent of the browser inside them. */
const MARKS: [app: string, mark: RegExp][] = [
  ['instagram', /\bInstagram[ /]\d/],
  ['facebook', /\bFB(?:AN|AV|_IAB)\//],
  ['tiktok', /\b(?:musical_ly|trill)_\d|\bBytedanceWebview\b/],
  ['line', /\bLine\/\d/],
  ['wechat', /\bMicroMessenger\//],
  ['snapchat', /\bSnapchat\/\d/],
  ['pinterest', /\[Pinterest\/(?:iOS|Android)\]/],
  ['linkedin', /\[LinkedInApp\]/],
  ['x', /\bTwitter for i(?:Phone|Pad)\b|\bTwitterAndroid\b/],
];

/** The app whose built-in browser sends this User-Agent; null: a browser of its own. */
export function inAppBrowser(text: string): string | null {
  return MARKS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}
