/**
 * Search parameters are plain texts, as REST spells them and as mails and alerts link to pages: the router's own form would
 * put JSON there.
 */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : '';
}

/** The parameters of an address, as they came. */
export type Given = Record<string, unknown>;

/** Takes the parameters with these names and drops all others without a word. */
export function textsOf<Name extends string>(given: Given, ...names: readonly Name[]): Partial<Record<Name, string>> {
  const known = names.filter((name) => given[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, String(given[name])])) as Partial<Record<Name, string>>;
}
