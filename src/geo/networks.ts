import path from 'node:path';
import { open } from 'maxmind';
import { ConfigError, config } from '../kernel/config.ts';
import { kindOfRecord } from './networks/kindOfRecord.ts';
import { NetworkList } from './networks/NetworkList.ts';
import { type Address, parseAddress } from './networks/parseAddress.ts';
import { readNetworkFile } from './networks/readNetworkFile.ts';

export type NetworkKind = 'carrier' | 'relay' | 'hosting' | 'listed';

/** Why an address is shared by many, as its network says: `carrier`, `relay`, `hosting` or `listed`; null: nothing says so. */
export type NetworkOf = (address: string) => NetworkKind | null;

type Source = (address: Address) => NetworkKind | null;

/** Between a carrier's customers and its NAT (RFC 6598). */
const CARRIER_NAT = '100.64.0.0/10';

/**
 * Opens what the settings name. Throws `ConfigError` naming the setting when a file cannot be read or a line is no network.
 * A look-up takes some microseconds and never asks the network. It says nothing of loopback and private addresses, where
 * people test.
 */
export async function openNetworks(): Promise<NetworkOf> {
  const sources = [carrierNat(), listed(), ...(await listedInFiles()), await inDatabase()];
  return (given) => {
    const address = parseAddress(given);
    if (address === null) return null;
    for (const source of sources) {
      const kind = source(address);
      if (kind !== null) return kind;
    }
    return null;
  };
}

function carrierNat(): Source {
  const list = new NetworkList();
  list.add(CARRIER_NAT);
  return (address) => (list.has(address) ? 'carrier' : null);
}

function listed(): Source {
  const { sharedNetworks } = config;
  return ({ text, words }) => (sharedNetworks.check(text, words.length === 2 ? 'ipv4' : 'ipv6') ? 'listed' : null);
}

/** The name of a file says whether it lists relays: Apple's is `egress-ip-ranges.csv`. */
async function listedInFiles(): Promise<Source[]> {
  const files = (config.sharedNetworkFiles ?? '').split(',').map((file) => file.trim());
  return Promise.all(
    files.filter(Boolean).map(async (file): Promise<Source> => {
      const kind = /relay|egress/i.test(path.basename(file)) ? 'relay' : 'listed';
      const list = await readNetworkFile(file);
      return (address) => (list.has(address) ? kind : null);
    }),
  );
}

async function inDatabase(): Promise<Source> {
  if (config.networkDatabase === null) return () => null;
  const database = await openDatabase(config.networkDatabase);
  return ({ text, words }) => {
    const isV6 = words.length === 8;
    // A reader takes the first bits of any address for those that a database of IPv4 alone asks for.
    if (isV6 && database.metadata.ipVersion === 4) return null;
    const kind = kindOfRecord(database.get(text));
    // It is IPv4 that carriers translate: each phone has an IPv6 /64 of its own (RFC 6459), which is what is compared.
    return isV6 && kind === 'carrier' ? null : kind;
  };
}

async function openDatabase(file: string) {
  try {
    return await open(file);
  } catch (error) {
    throw new ConfigError(`NETWORK_DATABASE cannot be read: ${(error as Error).message}`);
  }
}
