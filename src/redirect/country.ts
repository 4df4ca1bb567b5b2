import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';
import { open, type Response } from 'maxmind';

/** A CC0 database of countries by network registration; it comes with its package. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb';

/** Gives the ISO 3166-1 code of an address, or null; never asks the network. */
export type CountryOf = (address: string) => string | null;

/** Opens the bundled database. */
export async function openCountries(): Promise<CountryOf> {
  const file = createRequire(import.meta.url).resolve(`${DATABASE}/geo-whois-asn-country.mmdb`);
  const reader = await open<Response & { country_code?: string }>(file);
  const remembered = new LRUCache<string, { code: string | null }>({ max: 50_000 });
  return (address) => {
    const known = remembered.get(address);
    if (known) return known.code;
    const code = reader.get(address)?.country_code ?? null;
    remembered.set(address, { code });
    return code;
  };
}
