import { printSchema as printGraphql } from 'graphql';
import { codeSchemaOf } from '../../facade/codeSchema.ts';
import { makeManifest } from '../../facade/manifest.ts';
import { describe, routes, schema } from './api.ts';
import { printAppTypes } from './appTypes.ts';
import { printClient } from './client.ts';
import { printColours } from './colours.ts';
import { printEnv } from './env.ts';
import FILES from './files.json' with { type: 'json' };
import { undescribed } from './undescribed.ts';

const NOTICE = '# Printed from the resolvers by `npm run generate`; do not edit.\n\n';

/** Texts by their files. */
type Printed = Record<string, string>;

/** What people read in git. */
export function printCommitted(options: { isDraft: boolean }): Printed {
  return { [FILES.committed.schema]: printSchema(options), [FILES.committed.env]: printEnv() };
}

/** What the build makes. */
export async function printUncommitted(): Promise<Printed> {
  const files = FILES.uncommitted;
  const client = await printClient();
  return {
    [files.manifest]: printManifest(),
    [files.codeSchema]: printCodeSchema(),
    [files.appTypes]: await printAppTypes(),
    [files.clientTypes]: client.types,
    [files.clientTable]: client.table,
    [files.clientMethods]: client.methods,
    [files.colours]: await printColours(),
  };
}

/** The GraphQL schema. Refuses one in which something has no description, unless it is a draft. */
function printSchema({ isDraft }: { isDraft: boolean }): string {
  const bare = isDraft ? [] : undescribed(schema);
  if (bare.length > 0) throw new Error(`Without a description in the GraphQL schema: ${bare.join(', ')}`);
  return `${NOTICE}${printGraphql(schema)}\n`;
}

/** The schema of links as code, for its engine. */
function printCodeSchema(): string {
  return `${JSON.stringify(codeSchemaOf(describe()), null, 1)}\n`;
}

/** What the command line needs of each operation, without examples: one of them changes every day. */
function printManifest(): string {
  const manifest = makeManifest(routes, schema);
  const operations = manifest.operations.map(
    ({ body, answer: { example: _, ...answer }, codes: __, ...operation }) => ({
      ...operation,
      body: body && { mediaType: body.mediaType, required: body.required, schema: body.schema },
      answer,
    }),
  );
  // A batch is nothing that a command takes.
  const { batch: _, ...rest } = manifest;
  const events = rest.events.map(({ example: _, ...event }) => event);
  return `${JSON.stringify({ ...rest, operations, events }, null, 1)}\n`;
}
