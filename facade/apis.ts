import type { IncomingMessage } from 'node:http';
import type { KeyPrincipal } from '../src/access/principal.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import { OWN_PATHS } from '../src/kernel/ownPaths.ts';

export type SurfaceName = 'rest' | 'sdk';

/** Who may come in by a surface, and how strictly what they send is read. */
export interface Surface {
  /** Where its paths begin. */
  path: string;
  /** The only kind of key that it takes. */
  keyKind: KeyPrincipal['keyKind'];
  /** The key as it was sent; undefined without one. */
  keyOf(request: IncomingMessage): string | undefined;
  /** How to send one; says what is wrong with how it was tried. */
  howToSendKey(request: IncomingMessage): string;
  /** What a key of the other kind is told. */
  refusal: { code: ErrorCode; message: string };
  /** Largest JSON body in bytes, where a row says nothing else. */
  bodyLimit: number;
  /** Fields and parameters that it does not know are passed over: apps in the field live longer than we can tell. */
  ignoresUnknown: boolean;
}

export const SURFACES: Record<SurfaceName, Surface> = {
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
        'A secret key must never ship in an app: whoever has the app can read it. Revoke this one and use a publishable key (pk_live_…).',
    },
    bodyLimit: 64 * 1024,
    ignoresUnknown: true,
  },
};

/** What went wrong where somebody meant to send a secret key. The key itself is never repeated. */
function mistakeIn(headers: IncomingMessage['headers']): string {
  const given = headers.authorization?.trim() ?? '';
  if (/^(sk|pk)_live_/.test(given)) return 'The word Bearer is missing before the key. ';
  if (/^bearer$/i.test(given)) return 'The key is missing behind the word Bearer. ';
  if (given) return `${/^[A-Za-z]{1,20}(?= )/.exec(given)?.[0] ?? 'This'} is no way to sign in here. `;
  return headers['x-svc-key'] || headers['x-api-key'] ? 'The key goes into another header. ' : '';
}

/** The path of an operation as clients call it: `/api/v1/links/{id}`. */
export function fullPath({ surface = 'rest', path }: { surface?: SurfaceName; path: string }): string {
  return SURFACES[surface].path + path;
}
