import type { IncomingMessage } from 'node:http';
import type { KeyPrincipal } from '../src/access/principal.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';

export type ApiName = 'rest' | 'sdk';

/** One of the two HTTP APIs: who may use it, and how strictly its input is read. */
export interface Api {
  /** The prefix of its paths. */
  path: string;
  /** The only kind of key that it accepts. */
  keyKind: KeyPrincipal['keyKind'];
  /** The key as it was sent; undefined without one. */
  keyOf(request: IncomingMessage): string | undefined;
  /** How to send a key, and what is wrong with what the request sent instead. */
  howToSendKey(request: IncomingMessage): string;
  /** The error for a key of the other kind. */
  refusal: { code: ErrorCode; message: string };
  /** The largest JSON body in bytes, unless a route sets another one. */
  bodyLimit: number;
  /** Ignores unknown fields and parameters, because released apps stay in use for years. */
  ignoresUnknown: boolean;
}

export const APIS: Record<ApiName, Api> = {
  rest: {
    path: OWN_PATHS.api,
    keyKind: 'secret',
    keyOf: ({ headers }) => /^bearer +(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1],
    howToSendKey: ({ headers }) => `${mistakeIn(headers)}Send a secret key: Authorization: Bearer sk_live_…`,
    refusal: {
      code: 'publishable_key_refused',
      message: 'A publishable key is for apps; the REST API needs a secret key.',
    },
    bodyLimit: 256 * 1024,
    ignoresUnknown: false,
  },
  sdk: {
    path: OWN_PATHS.sdk,
    keyKind: 'publishable',
    keyOf: ({ headers }) => String(headers['x-svc-key'] ?? '').trim() || undefined,
    howToSendKey: ({ headers }) =>
      `${headers.authorization ? 'Apps send no Authorization. ' : ''}Send a publishable key: X-SVC-Key: pk_live_…`,
    refusal: {
      code: 'secret_key_refused',
      message:
        'A secret key must never ship in an app: anyone who has the app can read it. Revoke this one and use a publishable key (pk_live_…).',
    },
    bodyLimit: 64 * 1024,
    ignoresUnknown: true,
  },
};

/** What is wrong with an attempt to send a secret key. Never repeats the key itself. */
function mistakeIn(headers: IncomingMessage['headers']): string {
  const given = headers.authorization?.trim() ?? '';
  if (/^(sk|pk)_live_/.test(given)) return 'The word Bearer is missing before the key. ';
  if (/^bearer$/i.test(given)) return 'The key is missing behind the word Bearer. ';
  if (given) return `${/^[A-Za-z]{1,20}(?= )/.exec(given)?.[0] ?? 'This'} is no way to sign in here. `;
  return headers['x-svc-key'] || headers['x-api-key'] ? 'The key goes into another header. ' : '';
}

/** The path of an operation as clients call it: `/api/v1/links/{id}`. */
export function fullPath({ api = 'rest', path }: { api?: ApiName; path: string }): string {
  return APIS[api].path + path;
}
