import { fullPath } from '../facade/apis.ts';
import { describeApi } from '../facade/openapi/document.ts';
import { compileRoute } from '../facade/route.ts';
import { SDK_ROUTES } from '../facade/routes/sdk.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';
import { collectSchemas, formatted, printTypes } from './printTypes.ts';

const FILE = 'sdk/app/api.ts';
const notice =
  '// What apps send and are answered, of the OpenAPI document. Printed by `npm run generate`; do not edit.\n\n';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = any;

// The document says where it is served: this is the same on every machine.
loadConfig({ BASE_URL: 'https://svc.example.com' });
const schema = buildGraphqlSchema();
const routes = SDK_ROUTES.map((route) => compileRoute(route, schema));
const { openapi, info, paths, components } = describeApi(routes, schema) as Json;

const printed = await printTypes(openapi, info, schemasOfApps());
await generate(FILE, formatted(FILE, `${notice}${printed}`));

/** The schemas that apps send and are answered with, and those inside of them. Errors are the whole API's. */
function schemasOfApps(): Record<string, Json> {
  const { named, add } = collectSchemas(components.schemas);
  for (const { post } of SDK_ROUTES.map((route) => paths[fullPath(route)])) {
    add(post.requestBody.content);
    for (const [status, answer] of Object.entries<Json>(post.responses)) {
      const { content } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
      if (status.startsWith('2')) add(content);
    }
  }
  return named;
}
