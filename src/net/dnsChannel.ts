import { Resolver as Channel } from 'node:dns/promises';
import { config } from '../kernel/config.ts';

/** An unanswered question goes out again, to the next name server, after this long; then after twice as long, and so on. */
const ASK_AGAIN_MS = 1000;
const TRIES = 4;

/**
 * A channel to the name servers (`address` or `address:port`; unset: DNS_SERVERS, else those of the system). One for each
 * question, so that giving one up gives up no other, and a name server that was changed meanwhile is used.
 */
export function openDnsChannel(servers: string[] | null = config.dnsServers): Channel {
  const channel = new Channel({ timeout: ASK_AGAIN_MS, tries: TRIES });
  if (servers) channel.setServers(servers);
  return channel;
}
