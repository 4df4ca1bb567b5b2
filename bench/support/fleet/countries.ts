/** Where people of the fleet live. The blocks are real ones of large providers, so that the database knows their country. */
export interface Country {
  code: string;
  share: number;
  /** As apps and browsers say it. */
  language: string;
  zone: string;
  /** First two bytes of IPv4 blocks; `homes` with how many second bytes follow. */
  homes: [first: number, second: number, blocks: number];
  offices: string;
  /** First two bytes and the range of the third. */
  carriers: [block: string, from: number, to: number];
  /** First two groups of IPv6 blocks. */
  homes6: string;
  phones6: string;
}

export const COUNTRIES: Country[] = [
  {
    ...{ code: 'DE', share: 0.5, language: 'de-DE', zone: 'Europe/Berlin' },
    ...{ homes: [91, 0, 64], offices: '217.6', carriers: ['109.40', 0, 256] },
    ...{ homes6: '2003:c8', phones6: '2a01:598' },
  },
  {
    ...{ code: 'GB', share: 0.17, language: 'en-GB', zone: 'Europe/London' },
    ...{ homes: [86, 128, 64], offices: '194.75', carriers: ['82.132', 212, 248] },
    ...{ homes6: '2a00:23c4', phones6: '2a01:4c8' },
  },
  {
    ...{ code: 'FR', share: 0.15, language: 'fr-FR', zone: 'Europe/Paris' },
    ...{ homes: [90, 0, 128], offices: '194.51', carriers: ['92.184', 96, 128] },
    ...{ homes6: '2a01:cb04', phones6: '2a01:cb1c' },
  },
  {
    ...{ code: 'NL', share: 0.1, language: 'nl-NL', zone: 'Europe/Amsterdam' },
    ...{ homes: [77, 160, 16], offices: '194.151', carriers: ['62.140', 132, 138] },
    ...{ homes6: '2a02:a440', phones6: '2a02:a420' },
  },
  {
    ...{ code: 'AT', share: 0.08, language: 'de-AT', zone: 'Europe/Vienna' },
    ...{ homes: [91, 112, 4], offices: '194.96', carriers: ['77.116', 0, 256] },
    ...{ homes6: '2001:871', phones6: '2001:4bb8' },
  },
] as const satisfies Country[];

/** What those speak who do not speak the country's language; the app names the country as the region, browsers a language of the web. */
export const FOREIGN_LANGUAGES = ['en-US', 'en-GB', 'tr-TR', 'pl-PL', 'ar-SY', 'uk-UA', 'ro-RO', 'it-IT', 'es-ES'];

/** First three bytes of what VPNs and relays come from. */
export const VPN_BLOCK = '146.70.1';
export const RELAY_BLOCK = '172.225.47';
