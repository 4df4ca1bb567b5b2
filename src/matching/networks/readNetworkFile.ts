import { open } from 'node:fs/promises';
import { ConfigError } from '../../kernel/config.ts';
import { NetworkList } from './NetworkList.ts';

/**
 * The networks of a file: a CIDR block or an address a line, up to a comma or #; empty lines are passed over.
 * Throws `ConfigError` when the file cannot be read, or has a line that is neither.
 */
export async function readNetworkFile(path: string): Promise<NetworkList> {
  const list = new NetworkList();
  let number = 0;
  try {
    const file = await open(path);
    for await (const line of file.readLines()) {
      number += 1;
      const network = line.replace(/[,#].*/, '').trim();
      if (network === '' || list.add(network)) continue;
      throw new ConfigError(`SHARED_NETWORK_FILES: line ${number} of ${path} is no network: ${network.slice(0, 64)}`);
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`SHARED_NETWORK_FILES: ${path} cannot be read: ${(error as Error).message}`);
  }
  return list;
}
