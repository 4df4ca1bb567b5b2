import type { IncomingMessage, RequestListener } from 'node:http';
import { type ClickToken, clickedAtOf, passes, readClickToken } from '../../attribution/clickTokens.ts';
import type { Place, PlaceOf } from '../../geo/geoip.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { clientAddress } from '../../kernel/incomingRequest.ts';
import { log } from '../../kernel/log.ts';
import { OWN_PATHS, shortUrl } from '../../kernel/origins.ts';
import { urlForApp } from '../../routing/appUrls.ts';
import { decide, forwardedBy } from '../../routing/decide.ts';
import { parseParameters } from '../../routing/urlEncoding.ts';
import { parseVisitor, type Visitor } from '../../routing/visitor.ts';
import { answer, answerPage, answerRedirect, type HttpExchange } from '../answer.ts';
import { whyNoApps } from '../domainApps.ts';
import { loadLinkById, type RedirectLink } from '../loadLink.ts';
import { chooseLanguage, TEXTS } from '../pages/language.ts';
import { layOut } from '../pages/layout.ts';
import { type AppPageVisit, appChoices } from './appChoices.ts';
import { appPageContent } from './appPageContent.ts';
import { REPORT_PATH, receiveDeviceReport } from './deviceReport.ts';
import { type Brought, readBrought } from './pageAddress.ts';
import { answerScript, SCRIPT_PATH } from './pageScript.ts';

/**
 * The page on the base host that leads from a click to the app, its store or the web. Loads the link from the store, so it
 * works in a process without redirects. Counts nothing, because the click has been counted already.
 */
export function appPage(openGeoip: () => Promise<PlaceOf>): RequestListener {
  let geoip: Promise<PlaceOf> | undefined;
  return (request, response) => {
    const exchange = { request, response };
    const [path, query = ''] = (request.url as string).split(/\?(.*)/s);
    if (path === REPORT_PATH) {
      receiveDeviceReport(exchange, query);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(exchange, 405, ['Allow', 'GET, HEAD', 'Content-Length', '0']);
      return;
    }
    if (path === SCRIPT_PATH) answerScript(exchange, query);
    else if (path !== OWN_PATHS.openApp) answerPage(exchange, 'not_found');
    else {
      geoip ??= openGeoip();
      show(exchange, query, geoip).catch((error) => {
        log.warn({ err: error }, 'the page that leads to an app could not be rendered');
        answerPage(exchange, 'unavailable', {}, ['Retry-After', '5']);
      });
    }
  };
}

/** The query holds the token `t`, and behind a signature `b` what the visitor brought; all else follows from the link. */
async function show(exchange: HttpExchange, query: string, geoip: Promise<PlaceOf>): Promise<void> {
  const atMs = clock.now();
  const parameters = parseParameters(query);
  const token = parameters.get('t')?.[0] ?? '';
  const brought = readBrought(parameters.get('b')?.[0], token);
  const claims = readClickToken(token, atMs);
  const link = claims.ok ? await loadLinkById(claims.linkId) : null;
  if (!claims.ok || link?.projectId !== claims.projectId) {
    answerPage(exchange, 'not_found');
    return;
  }
  if (mustAskPassword(link, claims, atMs)) {
    const forwarded = forwardedBy(link, brought);
    answerRedirect(exchange, urlForApp(shortUrl(link.domain, link.slug), { utm: null, forwarded, token: null }));
    return;
  }
  const isUniversal = (await whyNoApps(link.domain, link.teamId)) === null;
  answerChoices(exchange, { link, token, isUniversal, brought }, atMs, await geoip);
}

/** A token proves that the password of now was entered, for as long as the cookie of a link would. */
function mustAskPassword(link: RedirectLink, claims: ClickToken, atMs: number): boolean {
  if (link.passwordHash === null) return false;
  return !passes(claims, link.passwordHash) || atMs >= clickedAtOf(claims) + config.passwordSessionSeconds * 1000;
}

type Opened = Pick<AppPageVisit, 'link' | 'token' | 'isUniversal'> & { brought: Brought };

function answerChoices(exchange: HttpExchange, opened: Opened, atMs: number, placeOf: PlaceOf): void {
  const { link, brought } = opened;
  const address = clientAddress(exchange.request);
  const place = placeOf(address);
  const visitor = visitorOf(exchange.request, place);
  const facts = { ...brought, country: place.country, addressKey: address };
  // The visitor's own click may have used up the limit.
  const outcome = decide({ ...link, clickLimit: null }, visitor, atMs, facts);
  if (outcome.kind === 'expired') {
    if (outcome.destination === null) answerPage(exchange, 'expired');
    else answerRedirect(exchange, outcome.destination);
    return;
  }
  if (outcome.kind !== 'redirect') {
    answerPage(exchange, 'not_found');
    return;
  }
  const forwarded = forwardedBy(link, brought);
  const choices = appChoices({ ...opened, forwarded, platform: visitor.platform, web: outcome.destination });
  const language = chooseLanguage(exchange.request.headers['accept-language']);
  const { headers, html } = layOut({ language, ...appPageContent(TEXTS[language], choices, visitor.inApp !== null) });
  answer(exchange, 200, [...headers, 'Content-Length', String(html.length)], html);
}

function visitorOf({ headers }: IncomingMessage, { isScanner }: Place): Visitor {
  const [userAgent, acceptLanguage] = [headers['user-agent'], headers['accept-language']];
  return parseVisitor({ userAgent, acceptLanguage, referer: headers.referer }, 'GET', isScanner);
}
