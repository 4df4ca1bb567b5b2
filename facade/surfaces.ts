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
  /** How to send one. */
  howToSendKey: string;
  /** What a key of the other kind is told. */
  refusal: { code: ErrorCode; message: string };
  /** Fields and parameters that it does not know are passed over: apps in the field live longer than we can tell. */
  ignoresUnknown: boolean;
}

export const SURFACES: Record<SurfaceName, Surface> = {
  rest: {
    path: OWN_PATHS.api,
    keyKind: 'secret',
    keyOf: ({ headers }) => /^bearer +(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1],
    howToSendKey: 'Send a secret key: Authorization: Bearer sk_live_…',
    refusal: {
      code: 'publishable_key_refused',
      message: 'A publishable key is for apps; the REST API needs a secret key.',
    },
    ignoresUnknown: false,
  },
  sdk: {
    path: OWN_PATHS.sdk,
    keyKind: 'publishable',
    keyOf: ({ headers }) => String(headers['x-svc-key'] ?? '').trim() || undefined,
    howToSendKey: 'Send a publishable key: X-SVC-Key: pk_live_…',
    refusal: {
      code: 'secret_key_refused',
      message:
        'A secret key must never ship in an app: whoever has the app can read it. Revoke this one and use a publishable key (pk_live_…).',
    },
    ignoresUnknown: true,
  },
};
