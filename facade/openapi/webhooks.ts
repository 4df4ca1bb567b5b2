import { TIME_SCHEMA } from '../../schema/inputSchema.ts';
import { API_VERSION, EVENT_TYPES, type EventType } from '../../src/events/catalogue.ts';
import { exampleEvent } from '../examples.ts';
import { EVENT_COMPONENTS, EVENT_DATA } from './eventData.ts';
import { type Json, object, orNull, ref } from './Json.ts';
import { deliveryParameters } from './parameters.ts';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** `link.created` as `LinkCreatedEvent`. */
function nameOf(type: EventType): string {
  return `${type.replace(/(^|[._])(\w)/g, (_, _dot, letter: string) => letter.toUpperCase())}Event`;
}

/** A schema for each event type, and `Event`, which is one of them. */
export function eventComponents(): Record<string, Json> {
  const names = TYPES.map((type) => [type, nameOf(type)] as const);
  const text = { type: 'string' };
  const envelope = (type: EventType): Json => ({
    ...object({
      id: text,
      type: { ...text, const: type },
      api_version: text,
      created_at: TIME_SCHEMA,
      team_id: text,
      project_id: type === 'alert.created' ? orNull(text) : text,
      test: { type: 'boolean' },
      data: EVENT_DATA[type],
    }),
    description: EVENT_TYPES[type],
  });
  return {
    ...EVENT_COMPONENTS,
    ...Object.fromEntries(names.map(([type, name]) => [name, envelope(type)])),
    Event: {
      description:
        'What receivers get. `id` is the same on every attempt and delivery: receivers know repeats by it. `test` marks a ' +
        `sample that somebody asked for. \`api_version\` is the version of the data, such as ${API_VERSION}. ` +
        '`project_id` is null for alerts of the whole team.',
      oneOf: names.map(([, name]) => ref('schemas', name)),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(names.map(([type, name]) => [type, ref('schemas', name).$ref])),
      },
    },
  };
}

/** What receivers are sent: one entry for each event type. */
export function describeWebhooks(): Json {
  return Object.fromEntries(TYPES.map((type) => [type, { post: describeEvent(type) }]));
}

function describeEvent(type: EventType): Json {
  return {
    operationId: `on${nameOf(type)}`,
    summary: EVENT_TYPES[type],
    description: 'Signed, tried again until it succeeds, and not always in order: see Webhooks above.',
    tags: ['Webhooks'],
    security: [],
    parameters: deliveryParameters(),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('schemas', nameOf(type)), example: exampleEvent(type) } },
    },
    responses: { '2XX': { description: 'Taken.' }, '4XX': { description: 'Refused; it is sent again.' } },
  };
}
