import { EVENT_TYPES } from '../src/events/catalogue.ts';
import { ERROR_STATUS } from '../src/kernel/errors.ts';

/** The error body of every operation. */
export const ERROR_SCHEMA = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string' },
        request_id: { type: 'string' },
        fields: {
          type: 'array',
          description: 'Every bad field; for validation_failed alone.',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' } },
            required: ['path', 'message'],
          },
        },
      },
      required: ['code', 'message', 'request_id'],
    },
  },
  required: ['error'],
};

/** The envelope that receivers get. */
export const EVENT_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    type: { type: 'string', enum: Object.keys(EVENT_TYPES) },
    api_version: { type: 'string' },
    created_at: { type: 'string', format: 'date-time' },
    team_id: { type: 'string' },
    project_id: { type: ['string', 'null'] },
    test: { type: 'boolean' },
    data: { type: 'object' },
  },
  required: ['id', 'type', 'api_version', 'created_at', 'team_id', 'project_id', 'test', 'data'],
};
