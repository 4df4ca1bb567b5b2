import { describeApi } from '../../facade/openapi/document.ts';
import { compileRoutes } from '../../facade/route.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';
import { loadConfig } from '../../src/kernel/config.ts';

// What is printed says where the product is served: like this, it is the same on every machine.
loadConfig({ BASE_URL: 'https://svc.example.com', LOG_LEVEL: 'error' });

/** What everything is printed from. */
export const schema = buildGraphqlSchema();
export const routes = compileRoutes(schema);

/** The OpenAPI document of some routes; of all, unless they are given. */
export function describe(some = routes): ReturnType<typeof describeApi> {
  return describeApi(some, schema);
}
