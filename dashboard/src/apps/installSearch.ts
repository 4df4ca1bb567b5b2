/** The filters of the list, as the address holds them. */
export type InstallSearch = Partial<Record<'platform' | 'method' | 'matched' | 'search' | 'link', string | undefined>>;

export const PLATFORMS = ['ios', 'android', 'web'] as const;
export const METHODS = ['link', 'referrer', 'clipboard', 'probabilistic', 'none'] as const;

export const NO_FILTERS: InstallSearch = {
  platform: undefined,
  method: undefined,
  matched: undefined,
  search: undefined,
  link: undefined,
};

/** What the filters of an address are to the server; what is wrong in them is none. */
export function variablesOf({ platform, method, matched, search, link }: InstallSearch) {
  return {
    platform: PLATFORMS.find((known) => known === platform) ?? null,
    method: METHODS.find((known) => known === method) ?? null,
    isMatched: matched === 'true' ? true : matched === 'false' ? false : null,
    search: search?.trim() || null,
    linkId: link?.trim() || null,
  };
}

export function isFiltered(search: InstallSearch): boolean {
  return Object.values(variablesOf(search)).some((value) => value !== null);
}
