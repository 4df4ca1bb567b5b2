/** User-Agent headers of each class of traffic. */
export const AGENTS = {
  human:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  scanner: 'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))',
};
