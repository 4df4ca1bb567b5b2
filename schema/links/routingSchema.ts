import { DEVICES, PLATFORMS } from '../analyticsEnums.ts';
import { type JsonSchema, TIME_SCHEMA } from '../inputSchema.ts';
import type { Rule } from '../rules.ts';

const listOf = (rule: Rule, maxItems: number) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, ...rule },
  minItems: 1,
  maxItems,
});
const oneOf = (values: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: values },
  minItems: 1,
  uniqueItems: true,
});
export const COUNTRY_RULE: Rule = { format: 'country', maxLength: 100 };
export const LANGUAGE_RULE: Rule = { format: 'language', maxLength: 100 };
/** A URL is taken for its host. */
export const REFERRER_HOST_RULE: Rule = { format: 'referrer_host', maxLength: 2048 };

const destination = { type: 'string', format: 'destination', maxLength: 8192 };
const name = { type: ['string', 'null'], minLength: 1, maxLength: 100 };

const conditions = {
  platform: oneOf(PLATFORMS),
  device: oneOf(DEVICES),
  country: listOf(COUNTRY_RULE, 250),
  language: listOf(LANGUAGE_RULE, 100),
  referrer_host: listOf(REFERRER_HOST_RULE, 100),
  query: {
    type: 'array',
    items: {
      'x-name': 'QueryCondition',
      type: 'object',
      properties: { name: { type: 'string', minLength: 1, maxLength: 200 }, value: { type: 'string', maxLength: 500 } },
      required: ['name'],
      additionalProperties: false,
    },
    minItems: 1,
    maxItems: 20,
  },
  after: TIME_SCHEMA,
  before: TIME_SCHEMA,
};

const when = {
  'x-name': 'Conditions',
  type: 'object',
  properties: {
    ...conditions,
    not: {
      'x-name': 'NegatedConditions',
      type: 'object',
      properties: conditions,
      additionalProperties: false,
      minProperties: 1,
    },
  },
  additionalProperties: false,
  minProperties: 1,
  'x-possible': true,
};

const platform = {
  'x-name': 'PlatformRouting',
  type: ['object', 'null'],
  properties: {
    deep_link_path: { type: ['string', 'null'], maxLength: 2048 },
    fallback: {
      type: ['string', 'null'],
      maxLength: 8192,
      format: 'fallback',
      description: '`store`, or a URL.',
    },
  },
  additionalProperties: false,
};

/** Where a link sends whom: rules in order, then a weighted split, then the destination. */
export const ROUTING_SCHEMA: JsonSchema = {
  'x-name': 'Routing',
  type: 'object',
  properties: {
    rules: {
      type: 'array',
      items: {
        'x-name': 'RoutingRule',
        type: 'object',
        properties: { name, when, destination },
        required: ['when', 'destination'],
        additionalProperties: false,
      },
      maxItems: 50,
    },
    split: {
      type: 'array',
      items: {
        'x-name': 'SplitEntry',
        type: 'object',
        properties: { name, destination, weight: { type: 'integer', minimum: 1, maximum: 1_000_000 } },
        required: ['destination', 'weight'],
        additionalProperties: false,
      },
      minItems: 2,
      maxItems: 20,
    },
    forward_query: { type: 'boolean' },
    forward_path: { type: 'boolean' },
    open_app: {
      type: 'boolean',
      description:
        'Phones open the app of the project, else its store or fallback. It may be set before apps are registered: until then visitors get the destination, and health and trace say why.',
    },
    ios: platform,
    android: platform,
  },
  additionalProperties: false,
};
