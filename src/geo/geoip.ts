import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { open, type Reader, type Response } from 'maxmind';
import { ConfigError, config } from '../kernel/config.ts';
import { remembering } from '../kernel/remembering.ts';
import { type CityRecord, cityPlace } from './cityPlace.ts';

/** A free database of countries by network registration; it comes with its package. */
const DATABASE = '@ip-location-db/geo-whois-asn-country-mmdb';

/** What is known of an address. */
export interface Place {
  /** ISO 3166-1 alpha-2 in capitals. */
  country: string | null;
  /** ISO 3166-2, as `DE-BY`, where the database has the code, else a name. */
  region: string | null;
  /** In English. */
  city: string | null;
  /** Whether its network is known to scan the links of mails. */
  isScanner: boolean;
}

/** Never asks the network. */
export type PlaceOf = (address: string) => Place;

const NOWHERE: Place = { country: null, region: null, city: null, isScanner: false };

/** An address costs some 20 µs in a database of cities. In that of countries 1.5 µs, which remembering costs as well. */
const REMEMBERED = 50_000;

/** Opens the bundled database, and that of CITY_DATABASE. Throws `ConfigError` when the latter cannot be read. */
export async function openPlaces(): Promise<PlaceOf> {
  const countries = await open<Response & { country_code?: string }>(
    createRequire(import.meta.url).resolve(`${DATABASE}/geo-whois-asn-country.mmdb`),
  );
  const cities = await openCities();
  const hasScanners = config.scannerNetworks.rules.length > 0;
  const lookUp = (address: string): Place => {
    if (!isIP(address)) return NOWHERE;
    const place = cityPlace(cities?.get(address) ?? null);
    const country = place.country ?? countries.get(address)?.country_code ?? null;
    return { ...place, country, isScanner: hasScanners && isScannerNetwork(address) };
  };
  return cities ? remembering(lookUp, REMEMBERED) : lookUp;
}

async function openCities(): Promise<Reader<CityRecord> | null> {
  if (config.cityDatabase === null) return null;
  try {
    return await open<CityRecord>(config.cityDatabase);
  } catch (error) {
    throw new ConfigError(`CITY_DATABASE cannot be read: ${(error as Error).message}`);
  }
}

function isScannerNetwork(address: string): boolean {
  return config.scannerNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
