import { printSchema } from 'graphql';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';

loadConfig({});
const notice = '# Printed from the resolvers by `npm run generate`; do not edit.\n\n';
await generate('schema.graphql', `${notice}${printSchema(buildGraphqlSchema())}\n`);
