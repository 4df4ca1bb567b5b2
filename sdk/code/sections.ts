import type { Kind } from './types.ts';

/** The sections of a file, and what is in them. */
export const KINDS_OF_SECTIONS = {
  tags: 'tag',
  domains: 'domain',
  links: 'link',
  webhooks: 'webhook',
} as const satisfies Record<string, Kind>;

export type Section = keyof typeof KINDS_OF_SECTIONS;

/** The `managed_by` of what a stack owns. */
export function ownerOf(stack: string): string {
  return `code:${stack}`;
}

/** A host as the server spells it: small letters, punycode, without the port and the dot that say nothing. */
export function hostnameOf(text: string): string {
  const url = URL.parse(`http://${text.trim()}`);
  return (url?.host || text.trim().toLowerCase()).replace(/:443$/, '').replace(/\.(?=$|:)/, '');
}

/** Tags with the same key are the same tag. */
export function tagKey(name: string): string {
  return name.trim().toLowerCase();
}
