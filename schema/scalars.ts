import { GraphQLDateTimeISO, GraphQLJSON, GraphQLJSONObject, GraphQLSafeInt } from 'graphql-scalars';

/** The scalars beyond GraphQL's own, under the names that fields use them by. */
export const Time = GraphQLDateTimeISO;
export const Json = GraphQLJSON;
export const JsonObject = GraphQLJSONObject;
export const SafeInt = GraphQLSafeInt;
