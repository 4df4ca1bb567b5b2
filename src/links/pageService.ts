import type { IncomingHttpHeaders } from 'node:http';
import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { consumePageReads } from '../access/quotas.ts';
import { limitConcurrency } from '../kernel/concurrency.ts';
import { config } from '../kernel/config.ts';
import { type ProbeAnswer, type ProbeFailure, type ProbeOptions, probe } from '../net/probe.ts';
import { localProblems } from '../scan/scan.ts';
import { decodePage, type PageFacts, readPage } from './decidePage.ts';
import { type PictureType, pictureType } from './decidePicture.ts';
import type { EncodedFile } from './qrService.ts';

/** Why a page could not be read. */
export type PageProblem =
  | 'not_a_page'
  | 'refused'
  | 'private_address'
  | 'unreachable'
  | 'timeout'
  | 'error_status'
  | 'redirects'
  | 'busy';

/** What a page says about itself, for the form of a link. All null but `problem` where it could not be read. */
export interface PageMetadata extends PageFacts {
  /** The picture at `imageUrl`; null where it cannot be shown. */
  image: EncodedFile | null;
  problem: PageProblem | null;
}

const MAX_URL_LENGTH = 8192;
const MAX_BYTES = 1_000_000;
const MAX_REDIRECTS = 3;
/** All pages that this process reads at a time; each takes at most PAGE_READ_SECONDS and two megabytes. */
const MAX_READING = 8;
const MAX_WAITING = 16;
/** Of one team: the pages of a slow host must not keep those of other teams waiting. */
const MAX_READING_OF_TEAM = 3;

/**
 * Reads what a web page, or a picture, says about itself. It makes this service send requests, so it takes the right to write
 * links, counts against a quota of the team, and goes only where links may lead and probes may connect. A page that cannot be
 * read is a result. Throws `not_found`, `insufficient_scope`, `team_read_only`, `rate_limited`.
 */
export async function pageMetadata(principal: Principal, projectId: string, url: string): Promise<PageMetadata> {
  const { teamId } = await authorizeProject(principal, 'links:write', projectId);
  const page = webPage(url);
  if (!page) return unread('not_a_page');
  await consumePageReads(teamId);
  if ((await localProblems([{ path: 'url', url: page.href }])).length > 0) return unread('refused');
  return (await readForTeam(teamId, page.href)) ?? unread('busy');
}

/** A URL that can be read: without a password, which would be sent in its place, and without its part for the browser. */
function webPage(text: string): URL | null {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.hash = '';
  return url;
}

const readAtOnce = limitConcurrency(MAX_READING, MAX_WAITING);
const readingOfTeam = new Map<string, number>();

/** Null: too many pages are being read already. */
async function readForTeam(teamId: string, url: string): Promise<PageMetadata | null> {
  const reading = readingOfTeam.get(teamId) ?? 0;
  if (reading >= MAX_READING_OF_TEAM) return null;
  readingOfTeam.set(teamId, reading + 1);
  try {
    return await readAtOnce(() => read(url));
  } finally {
    const left = (readingOfTeam.get(teamId) ?? 1) - 1;
    if (left > 0) readingOfTeam.set(teamId, left);
    else readingOfTeam.delete(teamId);
  }
}

/** One deadline for the page and its picture together. */
async function read(url: string): Promise<PageMetadata> {
  const deadline = AbortSignal.timeout(config.pageReadSeconds * 1000);
  const answer = await fetchBytes(url, deadline, (headers) => isPage(headers) || isPicture(headers));
  if ('problem' in answer) return unread(PROBLEMS[answer.problem]);
  if (answer.status < 200 || answer.status > 299) return unread('error_status');
  if (isPicture(answer.headers)) {
    const image = pictureOf(answer);
    return image ? { ...NOTHING, image, imageUrl: answer.url, problem: null } : unread('not_a_page');
  }
  if (!isPage(answer.headers)) return unread('not_a_page');
  const facts = readPage(decodePage(answer.bytes, answer.headers['content-type']), answer.url);
  return { ...facts, image: await fetchPicture(facts.imageUrl, deadline), problem: null };
}

async function fetchPicture(url: string | null, deadline: AbortSignal): Promise<EncodedFile | null> {
  if (url === null || (await localProblems([{ path: 'image', url }])).length > 0) return null;
  const answer = await fetchBytes(url, deadline, isPicture);
  return 'problem' in answer || answer.status !== 200 ? null : pictureOf(answer);
}

function fetchBytes(
  url: string,
  signal: AbortSignal,
  acceptsBody: NonNullable<ProbeOptions['acceptsBody']>,
): Promise<ProbeAnswer | ProbeFailure> {
  return probe(url, { maxRedirects: MAX_REDIRECTS, maxBytes: MAX_BYTES, signal, acceptsBody });
}

const isPage = (headers: IncomingHttpHeaders) => isOfType(headers, /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i);
const isPicture = (headers: IncomingHttpHeaders) => isOfType(headers, /^\s*image\/(png|jpe?g|webp|gif)\s*(;|$)/i);

/** Compressed bodies were not asked for: a kilobyte of them may be a gigabyte. */
function isOfType(
  { 'content-type': type, 'content-encoding': encoding }: IncomingHttpHeaders,
  wanted: RegExp,
): boolean {
  return wanted.test(type ?? '') && (encoding === undefined || encoding === 'identity');
}

function pictureOf({ bytes, isCut }: ProbeAnswer): EncodedFile | null {
  const mediaType: PictureType | null = isCut ? null : pictureType(bytes);
  return mediaType && { mediaType, base64: bytes.toString('base64') };
}

const PROBLEMS: Record<ProbeFailure['problem'], PageProblem> = {
  dns: 'unreachable',
  connect: 'unreachable',
  tls: 'unreachable',
  reset: 'unreachable',
  bad_response: 'unreachable',
  timeout: 'timeout',
  blocked_address: 'private_address',
  too_many_redirects: 'redirects',
  bad_redirect: 'redirects',
};

const NOTHING = { title: null, description: null, siteName: null, imageUrl: null, image: null };

function unread(problem: PageProblem): PageMetadata {
  return { ...NOTHING, problem };
}
