// plays, stores: any
import { createLink } from '../../support/createLink.ts';
import { expectShort, type Send, someKinds } from '../../support/expectShort.ts';
import { FILLINGS } from '../../support/largestArguments.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { useOwnWorld } from '../../support/world.ts';

const GO = 'go.example.com';
/** Header lines and the first line share what a server reads of both. */
const LARGE = 12_000;
/** A body that the form of passwords takes, and one that it does not. */
const BODIES = [4000, 1_000_000] as const;

const HEADERS = ['User-Agent', 'Referer', 'Accept-Language', 'Cookie', 'Accept', 'If-None-Match', 'X-Forwarded-For'];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Pages that anybody may ask for, on the host of links and on that of the product. */
const OF_LINKS = [
  '/plain',
  '/plain+',
  '/locked',
  '/locked+',
  '/_open/plain',
  '/nothing',
  '/robots.txt',
  '/favicon.ico',
];
const ASSOCIATIONS = ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'];
const OF_PRODUCT = ['/reference', '/llms.txt', '/healthz', '/app', '/app/links', '/openapi.json', '/robots.txt'];

describe('the largest requests for public pages that are let through', function () {
  this.timeout(600_000);
  const world = useOwnWorld({ LINK_DOMAIN: GO, TRUSTED_PROXIES: '127.0.0.1', SCANNER_BURST_LINKS: '0' });
  const pages = [
    ...[...OF_LINKS, ...ASSOCIATIONS].map((path) => ({ path, host: GO as string | undefined })),
    ...OF_PRODUCT.map((path) => ({ path, host: undefined })),
  ];

  before(async () => {
    await createLink(world.api, { destination: 'https://www.example.com/', slug: 'plain' });
    await createLink(world.api, { destination: 'https://www.example.com/', slug: 'locked', password: 'open sesame' });
  });

  /** As a browser would send it: what ends a line or the path is encoded. */
  const inLine = (text: string) => encodeURIComponent(text).slice(0, LARGE).replace(/%.?$/, '');
  const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '-');
  const ask = (path: string, host: string | undefined, headers = {}, body?: string): Send => {
    const method = body === undefined ? 'GET' : 'POST';
    const isRead = (body?.length ?? 0) <= BODIES[0];
    return async () => {
      const asked = rawRequest(world.origin, path, { method, headers, body, ...(host ? { host } : {}) });
      // A body beyond the limit may be answered with the end of the connection before it is sent.
      const answer = isRead ? await asked : await asked.catch(() => null);
      return answer && (isRead || answer.status > 0) ? answer : undefined;
    };
  };

  it('hold up nobody: queries and paths', async () => {
    const requests = pages.flatMap(({ path, host }, nth) =>
      someKinds(FILLINGS, nth).flatMap(([kind, filling]): [string, Send][] => {
        const text = inLine(filling(LARGE));
        return [
          [`${path}? ${kind}`, ask(`${path}?q=${text}`, host)],
          [`${path}/ ${kind}`, ask(`${path}/${text}`, host)],
          [`${path} raw ${kind}`, ask(`${path}/${inHeader(filling(LARGE)).replaceAll(' ', '+')}`, host)],
        ];
      }),
    );
    const many = Array.from({ length: LARGE / 5 }, (_, at) => `a${at}=`).join('&');
    await expectShort([
      ...requests,
      ...pages.map(({ path, host }): [string, Send] => [`${path} many parameters`, ask(`${path}?${many}`, host)]),
    ]);
  });

  it('hold up nobody: headers', async () => {
    await expectShort(
      pages.flatMap(({ path, host }, page) =>
        HEADERS.flatMap((header, at) =>
          someKinds(FILLINGS, page + at).map(([kind, filling]): [string, Send] => {
            const headers = { [header]: inHeader(filling(LARGE)) };
            return [`${path} ${header} ${kind}`, ask(path, host, headers)];
          }),
        ),
      ),
    );
  });

  it('hold up nobody: the form of passwords', async () => {
    await expectShort(
      Object.entries(FILLINGS).flatMap(([kind, filling]) =>
        BODIES.map((length): [string, Send] => {
          const body = `password=${filling(length)}`;
          return [`form ${kind} ${length}`, ask('/locked', GO, FORM, body)];
        }),
      ),
    );
  });
});
