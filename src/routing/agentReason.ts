import { isbot } from 'isbot';
import type { TrafficReason } from './trafficReason.ts';

/**
 * Fetchers of link previews, by what only they say. iMessage names Facebook's and Twitter's, Signal WhatsApp's, LINE and
 * KakaoTalk Facebook's. What apps add to the agent of their built-in browser (`Line/`, `KAKAOTALK`, `Viber/` behind
 * `Mozilla/`) is a person's.
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
 * Link checkers of mail gateways that give their name; most pretend to be browsers and are found by network or burst.
 * Office asks for a link before it opens the browser.
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

/** Why a User-Agent text is no person's browser; null: it may be one. */
export function agentReason(text: string): TrafficReason | null {
  if (PREVIEW_AGENTS.test(text)) return 'preview agent';
  if (SCANNER_AGENTS.test(text)) return 'scanner agent';
  return isbot(text) ? 'agent' : null;
}

function anyOf(patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}
