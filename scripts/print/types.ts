import openapiTypes from 'openapi-typescript';
import ts from 'typescript';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = any;

/** TypeScript with one interface or type for each of these schemas, which refer to each other as components. */
export async function printTypes(openapi: string, info: object, schemas: Record<string, object>): Promise<string> {
  // What has a default may be left out of a request.
  // A copy, because openapi-typescript writes into it.
  const document = structuredClone({ openapi, info, paths: {}, components: { schemas } }) as Json;
  const nodes = await openapiTypes(document, { defaultNonNullable: false });
  const isNamed = (name: string) => (node: ts.Node) =>
    (ts.isInterfaceDeclaration(node) || ts.isPropertySignature(node)) && (node.name as ts.Identifier).text === name;
  const all = nodes.find(isNamed('components')) as ts.InterfaceDeclaration;
  const { type } = all.members.find(isNamed('schemas')) as ts.PropertySignature;
  const file = ts.createSourceFile('printed.ts', '', ts.ScriptTarget.Latest);
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

/** The schemas of these names and those inside of them. `add` gets every part of the document that is to be kept. */
export function collectSchemas(schemas: Record<string, Json>): {
  named: Record<string, Json>;
  add: (part: Json) => void;
} {
  const named: Record<string, Json> = {};
  const add = (part: Json): void => {
    if (!part || typeof part !== 'object') return;
    const name = /^#\/components\/schemas\/(.+)/.exec(part.$ref)?.[1];
    if (name === undefined) {
      for (const inner of Object.values(part)) add(inner);
    } else if (!named[name]) {
      named[name] = schemas[name];
      add(named[name]);
    }
  };
  return { named, add };
}
