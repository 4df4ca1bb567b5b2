import type { JsonSchema } from '../inputSchema.ts';

const scheme = {
  type: ['string', 'null'],
  maxLength: 100,
  pattern: '^(?!(https?|javascript|data|intent|file|blob|vbscript|about|content)$)[a-z][a-z0-9+.-]{2,}$',
  'x-message':
    'Must be a scheme of your own such as myapp: lower case, at least three characters, not one that browsers use.',
};

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
          pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$',
          'x-message': 'Must be a bundle id such as com.example.app.',
        },
        team_id: {
          type: 'string',
          pattern: '^[A-Z0-9]{10}$',
          'x-message': 'Must be the ten characters of your Apple team id.',
        },
        app_store_id: {
          type: ['string', 'null'],
          pattern: '^\\d{5,15}$',
          'x-message': 'Must be the digits of the App Store id.',
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
          pattern: '^[A-Za-z][A-Za-z0-9_]*(\\.[A-Za-z][A-Za-z0-9_]*)+$',
          'x-message': 'Must be a package name such as com.example.app.',
        },
        sha256_fingerprints: {
          type: 'array',
          maxItems: 20,
          items: {
            type: 'string',
            pattern: '^([0-9A-F]{2}:){31}[0-9A-F]{2}$',
            'x-message': 'Must be 32 pairs of capital hex digits with colons, as keytool prints them.',
          },
        },
        scheme,
      },
      required: ['package', 'sha256_fingerprints'],
      additionalProperties: false,
    },
  },
};
