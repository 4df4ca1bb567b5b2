import { execFileSync } from 'node:child_process';
import openapiTypes from 'openapi-typescript';
import ts from 'typescript';
import { fullPath } from '../facade/apis.ts';
import { describeApi } from '../facade/openapi/document.ts';
import { compileRoute } from '../facade/route.ts';
import { SDK_ROUTES } from '../facade/routes/sdk.ts';
import { buildGraphqlSchema } from '../schema/build.ts';
import { loadConfig } from '../src/kernel/config.ts';
import { generate } from './generate.ts';

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

const printed = await openapiTypes({ openapi, info, paths: {}, components: { schemas: schemasOfApps() } });
await generate(FILE, formatted(`${notice}${interfacesIn(printed)}`));

/** The schemas that apps send and are answered with, and those inside of them. Errors are the whole API's. */
function schemasOfApps(): Record<string, Json> {
  const named: Record<string, Json> = {};
  const take = (part: Json): void => {
    if (!part || typeof part !== 'object') return;
    const name = /^#\/components\/schemas\/(.+)/.exec(part.$ref)?.[1];
    if (name === undefined) {
      for (const inner of Object.values(part)) take(inner);
    } else if (!named[name]) {
      named[name] = components.schemas[name];
      take(named[name]);
    }
  };
  for (const { post } of SDK_ROUTES.map((route) => paths[fullPath(route)])) {
    take(post.requestBody.content);
    for (const [status, answer] of Object.entries<Json>(post.responses)) {
      const { content } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
      if (status.startsWith('2')) take(content);
    }
  }
  return named;
}

/** One interface or type for each schema, in the place of one interface for all. */
function interfacesIn(nodes: ts.Node[]): string {
  const isNamed = (name: string) => (node: ts.Node) =>
    (ts.isInterfaceDeclaration(node) || ts.isPropertySignature(node)) && (node.name as ts.Identifier).text === name;
  const all = nodes.find(isNamed('components')) as ts.InterfaceDeclaration;
  const { type } = all.members.find(isNamed('schemas')) as ts.PropertySignature;
  const file = ts.createSourceFile(FILE, '', ts.ScriptTarget.Latest);
  const printer = ts.createPrinter();
  const exported = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const interfaces = (type as ts.TypeLiteralNode).members.map((member) => {
    const { name, type: shape } = member as ts.PropertySignature;
    const made =
      shape && ts.isTypeLiteralNode(shape)
        ? ts.factory.createInterfaceDeclaration(exported, name as ts.Identifier, undefined, undefined, shape.members)
        : ts.factory.createTypeAliasDeclaration(exported, name as ts.Identifier, undefined, shape as ts.TypeNode);
    return printer.printNode(ts.EmitHint.Unspecified, made, file);
  });
  return interfaces.join('\n\n').replace(/components\["schemas"\]\["(\w+)"\]/g, '$1');
}

function formatted(code: string): string {
  return execFileSync('biome', ['format', `--stdin-file-path=${FILE}`], { input: code, encoding: 'utf8' });
}
