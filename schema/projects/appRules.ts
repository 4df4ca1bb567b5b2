import { REFUSED_SCHEME } from '../../src/kernel/urls.ts';
import type { JsonSchema } from '../inputSchema.ts';

const scheme = {
  'x-name': 'AppScheme',
  type: ['string', 'null'],
  maxLength: 100,
  pattern: `^(?!(?:https?|${REFUSED_SCHEME})$)[a-z][a-z0-9+.-]{2,}$`,
  'x-message':
    'Must be a scheme of your own such as myapp: lower case, at least three characters, not one that browsers, systems or other programs use.',
};

const iosApp = {
  'x-name': 'IosApp',
  type: 'object',
  properties: {
    platform: { type: 'string', const: 'ios' },
    bundle_id: { type: 'string', maxLength: 155, format: 'bundle_id' },
    team_id: { type: 'string', format: 'team_id' },
    app_store_id: { type: ['string', 'null'], format: 'app_store_id' },
    scheme,
  },
  required: ['platform', 'bundle_id', 'team_id'],
  additionalProperties: false,
};

const androidApp = {
  'x-name': 'AndroidApp',
  type: 'object',
  properties: {
    platform: { type: 'string', const: 'android' },
    package: { type: 'string', maxLength: 255, format: 'android_package' },
    sha256_fingerprints: { type: 'array', maxItems: 20, items: { type: 'string', format: 'sha256_fingerprint' } },
    scheme,
  },
  required: ['platform', 'package', 'sha256_fingerprints'],
  additionalProperties: false,
};

/** The iOS and Android apps of a project. The discriminator reports only the problems of an app's own platform. */
export const APPS_SCHEMA: JsonSchema = {
  type: 'array',
  maxItems: 20,
  items: {
    'x-name': 'App',
    type: 'object',
    discriminator: { propertyName: 'platform' },
    required: ['platform'],
    oneOf: [iosApp, androidApp],
  },
};

/** The patterns of an app's fields; the formats below explain what is wrong with a value that does not match. */
const APP_PATTERNS = {
  // Ten capitals and digits before an id of two more parts are a team id, as provisioning profiles write it.
  bundle_id: '^(?![A-Z0-9]{10}\\.[^.]+\\.)[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
  team_id: '^[A-Z0-9]{10}$',
  app_store_id: '^\\d{5,15}$',
  android_package: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
  sha256_fingerprint: '^([0-9A-F]{2}:){31}[0-9A-F]{2}$',
} as const;

type AppFormat = keyof typeof APP_PATTERNS;

/** Formats for schema/formats.ts; each problem says what was given instead and what to do. */
export const APP_FORMATS: Record<AppFormat, { pattern: string; problem: (value: string) => string | null }> = {
  bundle_id: unlessFits('bundle_id', bundleIdProblem),
  team_id: unlessFits('team_id', teamIdProblem),
  app_store_id: unlessFits('app_store_id', appStoreIdProblem),
  android_package: unlessFits('android_package', packageProblem),
  sha256_fingerprint: unlessFits('sha256_fingerprint', fingerprintProblem),
};

function unlessFits(format: AppFormat, problem: (value: string) => string) {
  const pattern = APP_PATTERNS[format];
  const form = new RegExp(pattern);
  return { pattern, problem: (value: string) => (form.test(value) ? null : problem(value)) };
}

const WILDCARD = 'A wildcard stands for many apps: give the id of a single app, such as com.example.app.';

function bundleIdProblem(value: string): string {
  const [, team, bundle] = /^([A-Z0-9]{10})\.([^.]+\..+)$/.exec(value) ?? [];
  if (value.includes('*')) return WILDCARD;
  if (team && bundle) return `"${team}" in front is a team id: it belongs in team_id, and bundle_id is "${bundle}".`;
  if (/^[A-Z0-9]{10}$/.test(value))
    return 'This is a team id: bundle_id is the id of the app, such as com.example.app.';
  if (value.includes('_'))
    return 'A bundle id has no underscores, an Android package may: is this the id of the iOS app?';
  return 'Must be a bundle id such as com.example.app: letters, digits and dashes, separated by dots.';
}

function teamIdProblem(value: string): string {
  const prefix = /^([A-Z0-9]{10})\./.exec(value)?.[1];
  if (prefix) return `Give the team id alone, "${prefix}"; what follows it is the bundle_id.`;
  if (/^[A-Za-z0-9]{10}$/.test(value)) return `Write the team id in capitals: "${value.toUpperCase()}".`;
  return 'Must be the ten capital letters and digits of your Apple team id, as under Membership in your developer account.';
}

function appStoreIdProblem(value: string): string {
  const digits = /(?:^|\/)id(\d{5,15})(?=$|[?/#])/i.exec(value)?.[1];
  if (digits) return `Give the digits alone: "${digits}".`;
  if (/[A-Za-z]\.[A-Za-z]/.test(value))
    return 'This is not an App Store id: give the digits after "id" in the URL of the app there.';
  return 'Must be the 5 to 15 digits of the App Store id: those after "id" in the URL of the app there.';
}

function packageProblem(value: string): string {
  if (value.includes('*')) return WILDCARD;
  if (/^[A-Za-z0-9._-]+$/.test(value) && value.includes('-'))
    return 'An Android package has no dashes (an iOS bundle id may): give the applicationId of the Android app.';
  if (!value.includes('.')) return 'An Android package has at least two parts, such as com.example.';
  if (/(^|\.)[0-9_]/.test(value)) return 'Each part of an Android package begins with a letter.';
  return 'Must be a package name such as com.example.app: letters, digits and underscores, separated by dots.';
}

const SHA256_BYTES = 32;
/** Other hashes that keytool and developer consoles show, by their length in bytes. */
const OTHER_HASHES: Record<number, string> = { 16: 'an MD5', 20: 'a SHA-1', 64: 'a SHA-512' };

function fingerprintProblem(value: string): string {
  const label = /^\s*(SHA-?\d+|MD5)(?: fingerprint)?\s*[:=]\s*/i.exec(value)?.[0] ?? '';
  const hex = value.slice(label.length).replace(/[\s:-]/g, '');
  if (!/^[0-9a-f]+$/i.test(hex) || hex.length % 2 === 1) return notHexProblem(value);
  const bytes = hex.length / 2;
  const other = OTHER_HASHES[bytes];
  if (other)
    return `This is ${other} fingerprint (${bytes} bytes): take the SHA256 line of keytool (${SHA256_BYTES} bytes).`;
  if (bytes !== SHA256_BYTES)
    return `This has ${bytes} bytes, a SHA-256 fingerprint has ${SHA256_BYTES}: take the SHA256 line of keytool.`;
  const right = (hex.toUpperCase().match(/../g) as string[]).join(':');
  return `Write it as capital hex digits with colons and nothing else: ${right}`;
}

function notHexProblem(value: string): string {
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(value))
    return 'This is base64: take the SHA256 line of keytool, 32 pairs of hex digits with colons.';
  if (/^[A-Za-z0-9+/_-]{27}=$/.test(value))
    return 'This is a key hash (SHA-1 in base64): take the SHA256 line of keytool.';
  return 'Must be 32 pairs of capital hex digits with colons, as in the SHA256 line of keytool.';
}
