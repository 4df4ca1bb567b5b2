import path from 'node:path';
import { open } from 'maxmind';
import { ConfigError, config } from '../kernel/config.ts';
import { type Address, NetworkList, parseAddress, readNetworkFile } from './NetworkList.ts';
import { kindOfRecord, type NetworkKind } from './networkKinds.ts';

/** Why many people share an address, by the kind of its network; null if nothing says that they do. */
export type NetworkOf = (address: string) => NetworkKind | null;

type Source = (address: Address) => NetworkKind | null;

/** The addresses between a carrier's customers and its NAT (RFC 6598). */
const CARRIER_NAT = '100.64.0.0/10';

/**
 * Opens the lists and databases from the settings. Throws `ConfigError` with the setting's name if a file cannot be read or
 * a line is not a network. A lookup takes some microseconds. Loopback and private addresses, which are used for tests, have
 * no kind.
 */
export async function openNetworks(): Promise<NetworkOf> {
  const sources = [carrierNat(), listed(), ...(await listedInFiles()), await inDatabase()];
  return (text) => {
    const address = parseAddress(text);
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

/** The file name says whether a file lists relays: Apple's is called `egress-ip-ranges.csv`. */
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
    // In a database for IPv4 only, the reader would look up the first bits of an IPv6 address.
    if (isV6 && database.metadata.ipVersion === 4) return null;
    const kind = kindOfRecord(database.get(text));
    // Carriers translate IPv4 only: each phone has its own IPv6 /64 (RFC 6459), and that is what is compared.
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
