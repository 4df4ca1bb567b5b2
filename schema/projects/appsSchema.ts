import type { JsonSchema } from '../inputSchema.ts';
import { APP_PATTERNS } from './appFormats.ts';

const scheme = {
  type: ['string', 'null'],
  maxLength: 100,
  pattern: '^(?!(https?|javascript|data|intent|file|blob|vbscript|about|content)$)[a-z][a-z0-9+.-]{2,}$',
  'x-message':
    'Must be a scheme of your own such as myapp: lower case, at least three characters, not one that browsers use.',
};

/** The pattern is for readers of the schema, the format says what is wrong. */
function formed(format: keyof typeof APP_PATTERNS) {
  return { pattern: APP_PATTERNS[format], format };
}

// Each branch lists all of its fields: with unevaluatedProperties one bad field would make its neighbours "unknown".
/** The iOS and Android apps of a project. */
export const APPS_SCHEMA: JsonSchema = {
  type: 'array',
  maxItems: 20,
  items: {
    type: 'object',
    required: ['platform'],
    properties: { platform: { type: 'string', enum: ['ios', 'android'] } },
    if: { properties: { platform: { const: 'ios' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: {
        platform: true,
        bundle_id: {
          type: 'string',
          maxLength: 155,
          ...formed('bundle_id'),
        },
        team_id: {
          type: 'string',
          ...formed('team_id'),
        },
        app_store_id: {
          type: ['string', 'null'],
          ...formed('app_store_id'),
        },
        scheme,
      },
      required: ['bundle_id', 'team_id'],
      additionalProperties: false,
    },
    else: {
      properties: {
        platform: true,
        package: {
          type: 'string',
          maxLength: 255,
          ...formed('android_package'),
        },
        sha256_fingerprints: {
          type: 'array',
          maxItems: 20,
          items: {
            type: 'string',
            ...formed('sha256_fingerprint'),
          },
        },
        scheme,
      },
      required: ['package', 'sha256_fingerprints'],
      additionalProperties: false,
    },
  },
};
