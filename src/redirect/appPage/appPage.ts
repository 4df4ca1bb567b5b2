import type { IncomingMessage, RequestListener } from 'node:http';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import { shortUrl } from '../../kernel/origins.ts';
import { OWN_PATHS } from '../../kernel/ownPaths.ts';
import { clientAddress } from '../../kernel/requestFacts.ts';
import { type ClickToken, clickedAtOf } from '../../matching/clickToken.ts';
import { readClickToken } from '../../matching/installationTokens.ts';
import { decide } from '../../routing/decide.ts';
import { parseParameters } from '../../routing/queryString.ts';
import { parseVisitor, type Visitor } from '../../routing/visitor.ts';
import { type Asked, answer, answerPage, answerRedirect } from '../answer.ts';
import { whyNoApps } from '../association/loadDomainApps.ts';
import { loadLinkById, type RedirectLink } from '../loadLink.ts';
import { chooseLanguage } from '../pages/language.ts';
import { layOut } from '../pages/layout.ts';
import { TEXTS } from '../pages/texts/texts.ts';
import type { Place, PlaceOf } from '../places.ts';
import { appChoices, type Chooser } from './appChoices.ts';
import { appPageContent } from './appPageContent.ts';
import { REPORT_PATH, takeDeviceReport } from './deviceReport.ts';
import { answerScript, SCRIPT_PATH } from './pageScript.ts';

/**
 * The page on the base host that leads from a click to the app, its store or the web. The store is asked for the link,
 * so it works in a process that follows no links. Nothing is counted here: the click was.
 */
export function appPage(openPlaces: () => Promise<PlaceOf>): RequestListener {
  let places: Promise<PlaceOf> | undefined;
  return (request, response) => {
    const asked = { request, response };
    const [path, query = ''] = (request.url as string).split(/\?(.*)/s);
    if (path === REPORT_PATH) {
      takeDeviceReport(asked, query);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      answer(asked, 405, ['Allow', 'GET, HEAD', 'Content-Length', '0']);
      return;
    }
    if (path === SCRIPT_PATH) answerScript(asked, query);
    else if (path !== OWN_PATHS.openApp) answerPage(asked, 'not_found');
    else {
      places ??= openPlaces();
      show(asked, query, places).catch((error) => {
        log.warn({ err: error }, 'the page that leads to an app could not be made');
        answerPage(asked, 'unavailable', {}, ['Retry-After', '5']);
      });
    }
  };
}

/** The query's `t` is all that is taken from the address; the rest follows from the link. */
async function show(asked: Asked, query: string, places: Promise<PlaceOf>): Promise<void> {
  const atMs = clock.now();
  const token = parseParameters(query).get('t')?.[0] ?? '';
  const claims = readClickToken(token, atMs);
  const link = claims.ok ? await loadLinkById(claims.linkId) : null;
  if (!claims.ok || link?.projectId !== claims.projectId) {
    answerPage(asked, 'not_found');
    return;
  }
  if (mustAskPassword(link, claims, atMs)) {
    answerRedirect(asked, shortUrl(link.domain, link.slug));
    return;
  }
  const isUniversal = (await whyNoApps(link.domain, link.teamId)) === null;
  answerChoices(asked, { link, token, isUniversal }, atMs, await places);
}

/** A token proves that the password was given, for as long as a link remembers that. */
function mustAskPassword(link: RedirectLink, claims: ClickToken, atMs: number): boolean {
  return link.passwordHash !== null && atMs >= clickedAtOf(claims) + config.passwordSessionSeconds * 1000;
}

type Opened = Pick<Chooser, 'link' | 'token' | 'isUniversal'>;

function answerChoices(asked: Asked, opened: Opened, atMs: number, placeOf: PlaceOf): void {
  const { link } = opened;
  const address = clientAddress(asked.request);
  const place = placeOf(address);
  const visitor = visitorOf(asked.request, place);
  const facts = { query: '', country: place.country, addressKey: address };
  // The visitor's own click may have been the last that the limit allows.
  const outcome = decide({ ...link, clickLimit: null }, visitor, atMs, facts);
  if (outcome.kind === 'expired') {
    if (outcome.destination === null) answerPage(asked, 'expired');
    else answerRedirect(asked, outcome.destination);
    return;
  }
  if (outcome.kind !== 'redirect') {
    answerPage(asked, 'not_found');
    return;
  }
  const choices = appChoices({ ...opened, platform: visitor.platform, web: outcome.destination });
  const language = chooseLanguage(asked.request.headers['accept-language']);
  const { headers, html } = layOut({ language, ...appPageContent(TEXTS[language], choices, visitor.inApp !== null) });
  answer(asked, 200, [...headers, 'Content-Length', String(html.length)], html);
}

function visitorOf({ headers }: IncomingMessage, { isScanner }: Place): Visitor {
  const [userAgent, acceptLanguage] = [headers['user-agent'], headers['accept-language']];
  return parseVisitor({ userAgent, acceptLanguage, referer: headers.referer }, 'GET', isScanner);
}
