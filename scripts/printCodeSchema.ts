import { codeSchemaOf } from '../facade/codeSchema.ts';
import { describeApi } from '../facade/openapi/document.ts';
import { compileRoutes } from '../facade/route.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';

// The schema says where it is served: printed, it is the same on every machine.
loadConfig({ BASE_URL: 'https://svc.example.com' });
const schema = buildGraphqlSchema();
const document = describeApi(compileRoutes(schema), schema);
await generate('sdk/code/code.schema.json', `${JSON.stringify(codeSchemaOf(document), null, 1)}\n`);
