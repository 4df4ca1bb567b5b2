import { printSchema } from 'graphql';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';
import { undescribed } from './undescribed.ts';

loadConfig({});
const notice = '# Printed from the resolvers by `npm run generate`; do not edit.\n\n';
const schema = buildGraphqlSchema();
const bare = undescribed(schema);
if (bare.length > 0) {
  process.stderr.write(`Without a description in the GraphQL schema: ${bare.join(', ')}\n`);
  process.exitCode = 1;
}
await generate('schema.graphql', `${notice}${printSchema(schema)}\n`);
