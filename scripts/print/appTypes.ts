import { fullPath } from '../../facade/apis.ts';
import { compileRoute } from '../../facade/route.ts';
import { SDK_ROUTES } from '../../facade/routes/sdk.ts';
import { describe, schema } from './api.ts';
import { collectSchemas, printTypes } from './types.ts';

const NOTICE =
  '// What apps send and are answered, of the OpenAPI document. Printed by `npm run generate`; do not edit.\n\n';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = any;

/** The types of what apps send and are answered. */
export async function printAppTypes(): Promise<string> {
  const document = describe(SDK_ROUTES.map((route) => compileRoute(route, schema))) as Json;
  const printed = await printTypes(document.openapi, document.info, schemasOfApps(document));
  return `${NOTICE}${printed}`;
}

/** The schemas that apps send and are answered with, and those inside of them. Errors are the whole API's. */
function schemasOfApps({ paths, components }: Json): Record<string, Json> {
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
