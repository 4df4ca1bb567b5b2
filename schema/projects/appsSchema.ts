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

/** The iOS and Android apps of a project. What is wrong with an app is said by the rules of its platform alone. */
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
