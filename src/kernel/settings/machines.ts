import * as s from './kinds.ts';

/** What assistants, scripts and the command line may do. */
export const MACHINE_SETTINGS = {
  mcpEnabled: s.flag('Serves /mcp, by which assistants use the API with a secret key.', true),
  mcpWritesPerHour: s.integer('Records per hour that assistants may change through /mcp with one secret key.', 200),
  mcpConfirmAbove: s.integer(
    'Assistants must confirm a change of more records than this, and whatever deletes or stops something.',
    25,
    { min: 1 },
  ),
  planSeconds: s.integer(
    'Seconds of work after which the tool plan_changes gives up reading and comparing a document of links as code.',
    10,
    { min: 1 },
  ),
  eventStreamsPerKey: s.integer('Streams of events (GET /events/stream) that a key may keep open in each process.', 5, {
    min: 1,
  }),
};
