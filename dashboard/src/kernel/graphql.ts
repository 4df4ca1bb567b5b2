import { initGraphQLTada } from 'gql.tada';
import type { introspection } from '../generated/graphql-env.d.ts';

/** Makes a typed document. It stands in the component that shows its data, and fragments give a component its part. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    DateTimeISO: string;
    SafeInt: number;
    JSON: Json;
    JSONObject: JsonObject;
  };
}>();

export type { FragmentOf, ResultOf, VariablesOf } from 'gql.tada';
export { readFragment } from 'gql.tada';

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
