import { graphql } from '../kernel/graphql.ts';

/** Which scopes there are: the server's list, so that a new one is offered at once. */
export const SCOPES = graphql(`
  query Scopes {
    service {
      scopes
    }
  }
`);

export type Preset = 'all' | 'read' | 'some';

export const PRESETS: readonly Preset[] = ['all', 'read', 'some'];

/** What is sent for a preset; the two short forms cover scopes that are added later only in new keys. */
export function scopesOf(preset: Preset, selected: readonly string[]): string[] {
  if (preset === 'all') return ['*'];
  return preset === 'read' ? ['*:read'] : [...selected];
}

/** The preset that a key's scopes amount to. */
export function presetOf(scopes: readonly string[], all: readonly string[]): Preset {
  if (all.length > 0 && scopes.length === all.length) return 'all';
  const readable = all.filter((scope) => scope.endsWith(':read'));
  const isReading = scopes.length === readable.length && readable.every((scope) => scopes.includes(scope));
  return isReading && readable.length > 0 ? 'read' : 'some';
}

/** The resources of the scopes, in their order. */
export function resourcesOf(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => scope.split(':')[0] as string))];
}
