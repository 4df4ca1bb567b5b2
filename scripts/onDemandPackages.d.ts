/**
 * Packages of bench/ and test/interop/, which the installation of the project does not bring: their types are unknown until
 * `npm run install:all` has installed them. See scripts/steps/checkSteps.mjs.
 */
declare module '@duckdb/node-api' {
  // biome-ignore lint/suspicious/noExplicitAny: its types are unknown here
  type Unknown = any;
  export const DuckDBInstance: Unknown;
  export type DuckDBConnection = Unknown;
}
declare module '@modelcontextprotocol/sdk/*';
declare module '@redocly/openapi-core';
declare module '@stoplight/spectral-core';
declare module '@stoplight/spectral-rulesets';
declare module 'gpt-tokenizer/*';
declare module 'stripe';
