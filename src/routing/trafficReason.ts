import { isbot } from 'isbot';

export type TrafficClass = 'human' | 'bot' | 'scanner' | 'prefetch';

interface ReasonRow {
  class: TrafficClass;
  /** The sign of such a request. */
  found: string;
}

/** Why a click does not count as a person's, in the order of the checks: the first that applies is recorded. */
export const TRAFFIC_REASONS = {
  head: { class: 'bot', found: 'The method is HEAD.' },
  'sec-purpose': {
    class: 'prefetch',
    found: 'Sec-Purpose, Purpose, X-Purpose or X-Moz says prefetch, prerender or preview.',
  },
  'no agent': { class: 'bot', found: 'There is no User-Agent.' },
  'preview agent': {
    class: 'bot',
    found: 'The User-Agent is that of a messenger or social network fetching a link preview.',
  },
  'scanner agent': { class: 'scanner', found: 'The User-Agent names a mail gateway or Office.' },
  agent: { class: 'bot', found: 'The User-Agent is that of a crawler or a program (isbot).' },
  'scanner network': { class: 'scanner', found: 'The address is in SCANNER_NETWORKS.' },
  burst: {
    class: 'scanner',
    found: 'One address follows many links of a team at once (clicks/bursts); detected afterwards.',
  },
} as const satisfies Record<string, ReasonRow>;

export type TrafficReason = keyof typeof TRAFFIC_REASONS;

/** Header fields that mark a request made before a person decided to open the page. */
export interface PurposeHeaders {
  secPurpose?: string | undefined;
  purpose?: string | undefined;
  xPurpose?: string | undefined;
  xMoz?: string | undefined;
}

/** The class that follows from a reason; `human` without one. */
export function trafficClass(reason: TrafficReason | null): TrafficClass {
  return reason === null ? 'human' : TRAFFIC_REASONS[reason].class;
}

/** The first reason that applies: method, then purpose, then the reason of the agent, which its parser has found. */
export function trafficReason(
  method: string,
  headers: PurposeHeaders,
  reasonOfAgent: TrafficReason | null,
): TrafficReason | null {
  if (method === 'HEAD') return 'head';
  const { secPurpose, purpose, xPurpose, xMoz } = headers;
  if (isAhead(secPurpose) || isAhead(purpose) || isAhead(xPurpose) || isAhead(xMoz)) return 'sec-purpose';
  return reasonOfAgent;
}

/** `prefetch`, `prefetch;prerender` (Chrome, Edge, Firefox) or `preview` (Safari's top sites, apps of Facebook). */
function isAhead(purpose: string | undefined): boolean {
  return purpose !== undefined && /^\s*(?:prefetch|prerender|preview)\b/i.test(purpose);
}

/**
 * Fetchers of link previews, by marks that only they have. iMessage poses as Facebook and Twitter, Signal as WhatsApp, LINE
 * and KakaoTalk as Facebook. What apps add to the agent of their built-in browser (`Line/`, `KAKAOTALK`, `Viber/` after
 * `Mozilla/`) belongs to a person.
 */
const PREVIEW_AGENTS = anyOf([
  /facebookexternalhit|facebot/,
  /twitterbot/,
  /linkedinbot/,
  /slackbot-linkexpanding|slack-imgproxy/,
  /discordbot/,
  /telegrambot/,
  /^whatsapp\//,
  /^viber(?:$|\/)/,
  /skypeuripreview|microsoftpreview/, // Skype, Teams, Outlook
  /pinterestbot|^pinterest\//,
  /redditbot/,
  /snap url preview/,
  /kakaotalk-scrap/,
  /mastodon\//,
  /bluesky cardyb/,
  /embedly\//,
  /iframely\//,
  /summalybot|misskey\//,
  /mattermost-bot/,
  /synapse \(bot;/, // Matrix
  /wire linkpreview/,
  /vkshare|odklbot/,
  /xing-contenttabreceiver/,
  /yahoo link preview/,
  /google-pagerenderer/, // Google Chat
  /zoombot/,
]);

/**
 * Link scanners of mail gateways that give their name; most pose as browsers and are detected by network or burst.
 * Office requests a link itself before it opens the browser.
 */
const SCANNER_AGENTS = anyOf([
  /barracuda/,
  /mimecast/,
  /proofpoint|urldefense/,
  /safelinks/,
  /symantec|messagelabs/,
  /trend ?micro/,
  /forti(?:guard|mail)/,
  /sophos/,
  /ironport/,
  /zscaler/,
  /cloudmark/,
  /avanan/,
  /bitdefender/,
  /ms-office|^microsoft office/,
]);

/** Why a User-Agent is not a person's browser; null if it may be one. */
export function agentTrafficReason(text: string): TrafficReason | null {
  if (PREVIEW_AGENTS.test(text)) return 'preview agent';
  if (SCANNER_AGENTS.test(text)) return 'scanner agent';
  return isbot(text) ? 'agent' : null;
}

function anyOf(patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}
