import type { Response } from 'maxmind';

/** What databases of cities say of a network: nested (GeoLite2, GeoIP2, DB-IP) or flat (ip-location-db). */
export type CityRecord = Response & {
  country?: { iso_code?: string };
  subdivisions?: { iso_code?: string; names?: Record<string, string> }[];
  city?: { names?: Record<string, string> } | string;
  country_code?: string;
  state1?: string;
};

/** Country, region and city of a record; null is what it does not say. */
export function cityPlace(record: CityRecord | null): {
  country: string | null;
  region: string | null;
  city: string | null;
} {
  if (record === null) return { country: null, region: null, city: null };
  const country = record.country?.iso_code || record.country_code || null;
  const city = typeof record.city === 'string' ? record.city : record.city?.names?.en;
  return { country: country?.toUpperCase() ?? null, region: regionOf(record, country), city: city || null };
}

/** The largest part of the country that is named. */
function regionOf({ subdivisions, state1 }: CityRecord, country: string | null): string | null {
  const [largest] = subdivisions ?? [];
  if (country !== null && largest?.iso_code) return `${country}-${largest.iso_code}`.toUpperCase();
  return largest?.names?.en || state1 || null;
}
