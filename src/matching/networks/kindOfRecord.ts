import type { NetworkKind } from '../networks.ts';
import { kindOfSystem } from './autonomousSystems.ts';

type Fields = Record<string, unknown>;

const YES = ['true'];

/** What speaks for a kind, the surest first: any of the fields with one of the values, in whatever case. */
const SIGNS: [kind: NetworkKind, values: string[], fields: string[]][] = [
  // GeoIP2 Anonymous-IP and Anonymous-Plus, IPinfo privacy (its newer databases write `is_`).
  ['relay', YES, ['is_anonymous_vpn', 'is_public_proxy', 'is_residential_proxy', 'is_tor_exit_node']],
  ['relay', YES, ['relay', 'vpn', 'proxy', 'tor', 'is_relay', 'is_vpn', 'is_proxy', 'is_tor']],
  ['hosting', YES, ['is_hosting_provider', 'hosting', 'is_hosting']],
  // GeoIP2 Enterprise.
  ['relay', ['consumer_privacy_network'], ['user_type']],
  ['hosting', ['hosting', 'content_delivery_network'], ['user_type']],
  ['carrier', ['cellular'], ['user_type']],
  // GeoIP2 Connection-Type and Enterprise.
  ['carrier', ['cellular'], ['connection_type']],
  // IPinfo ASN and company.
  ['hosting', ['hosting'], ['type', 'as_type']],
  ['carrier', YES, ['is_mobile']],
];

/** GeoLite2 and GeoIP2 ASN, ISP and Enterprise, DB-IP; IPinfo and IPLocate: 64500 or `AS64500`. */
const NUMBERS = ['autonomous_system_number', 'asn'];

/**
 * What a record of a database (mmdb) says of its network; null: nothing, or in words that are not known here. MaxMind's
 * Enterprise keeps these fields in `traits`.
 */
export function kindOfRecord(record: unknown): NetworkKind | null {
  if (!isFields(record)) return null;
  const fields = isFields(record.traits) ? { ...record, ...record.traits } : record;
  const sign = SIGNS.find(([, values, names]) => names.some((name) => values.includes(textOf(fields[name]))));
  return sign?.[0] ?? kindByNumber(fields);
}

function kindByNumber(fields: Fields): NetworkKind | null {
  for (const name of NUMBERS) {
    const [, digits] = /^(?:as)?(\d+)$/.exec(textOf(fields[name])) ?? [];
    if (digits !== undefined) return kindOfSystem(Number(digits));
  }
  return null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return String(value ?? '').toLowerCase();
}
