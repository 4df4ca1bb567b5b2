import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { ApolloServerPlugin } from '@apollo/server';
import { type GraphQLSchema, getNamedType, isObjectType, type OperationDefinitionNode } from 'graphql';
import type Koa from 'koa';
import type { Context } from './context.ts';

/** Smaller answers fit into two packets as they are. */
const FROM_BYTES = 2048;
/** Of 11: higher levels cost more time than a page of rows saves on the way. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

const compressors = {
  br: (text: string) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string) => promisify(gzip)(text),
};

/**
 * Compresses the answers of operations for which `noteSecrets` allowed it. The length of a compressed answer tells somebody
 * who watches the connection, and who can put a text of their own into it, whether that text occurs in the rest (BREACH).
 */
export const compressAnswer: Koa.Middleware = async (ctx, next) => {
  await next();
  ctx.vary('Accept-Encoding');
  const { body } = ctx;
  if (ctx.state.isCompressible !== true || typeof body !== 'string' || Buffer.byteLength(body) < FROM_BYTES) return;
  // Our preference and not the browser's: all of them name gzip first.
  const encoding = (['br', 'gzip'] as const).find((encoding) => ctx.acceptsEncodings(encoding));
  if (!encoding) return;
  const type = ctx.response.get('Content-Type');
  ctx.body = await compressors[encoding](body);
  ctx.set({ 'Content-Type': type, 'Content-Encoding': encoding });
};

/** Allows queries to be compressed, unless one of their fields gives a secret. Changes, which give new secrets, never are. */
export const noteSecrets: ApolloServerPlugin<Context> = {
  async requestDidStart({ contextValue }) {
    return {
      async didResolveOperation({ operation, schema }) {
        if (operation?.operation === 'query' && !givesSecret(operation, schema)) contextValue.allowCompression?.();
      },
    };
  },
};

/** Fields in fragments count as secret: none of the dashboard's operations has fragments at its root. */
function givesSecret({ selectionSet }: OperationDefinitionNode, schema: GraphQLSchema): boolean {
  const fields = schema.getQueryType()?.getFields() ?? {};
  return selectionSet.selections.some((selection) => {
    if (selection.kind !== 'Field') return true;
    const field = fields[selection.name.value];
    const type = field && getNamedType(field.type);
    return isObjectType(type) && 'secret' in type.getFields();
  });
}
