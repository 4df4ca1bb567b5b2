import { makeManifest } from '../facade/manifest.ts';
import { compileRoutes } from '../facade/route.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';

// The manifest says where the product is served: printed, it is the same on every machine.
loadConfig({ BASE_URL: 'https://svc.example.com' });
const schema = buildGraphqlSchema();
const manifest = makeManifest(compileRoutes(schema), schema);

/** What the command line needs of each operation: no examples, one of which changes every day. */
const operations = manifest.operations.map(({ body, answer: { example: _, ...answer }, codes: __, ...operation }) => ({
  ...operation,
  body: body && { mediaType: body.mediaType, required: body.required, schema: body.schema },
  answer,
}));
// A batch is nothing that a command takes.
const { batch: _, ...rest } = manifest;
const events = rest.events.map(({ example: _, ...event }) => event);
await generate('cli/manifest.json', `${JSON.stringify({ ...rest, operations, events }, null, 1)}\n`);
