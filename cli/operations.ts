import { describeOperations, type Operation, type PrintedManifest } from './describeOperations.ts';
import manifest from './manifest.json' with { type: 'json' };

const printed = manifest as unknown as PrintedManifest;

/** Every operation of the REST API as a command. The build computes this file's exports beforehand: see scripts/buildCli.mjs. */
export const OPERATIONS: Operation[] = describeOperations(printed);

/** What each resource is, by its first word. */
export const RESOURCES: Record<string, string> = Object.fromEntries(
  printed.tags.map(({ name, description }) => [name.toLowerCase(), description]),
);
