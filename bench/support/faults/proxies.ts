import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../../test/support/child.ts';
import { until } from '../../../test/support/until.ts';
import type { Belongings } from './Belongings.ts';
import type { PostgresServer } from './PostgresServer.ts';

/** What the product is reached by: two hosts on one port. */
export interface Front {
  kind: 'haproxy' | 'caddy';
  port: number;
  isTls: boolean;
  /** Resolves when the proxy sends requests to the process on this port again. */
  untilUp(port: number): Promise<void>;
}

export interface Behind {
  /** Host of the API, and ports of the processes that serve it. */
  web: { host: string; ports: number[] };
  redirect: { host: string; ports: number[] };
  /** Port of the endpoint that tells Caddy for which hosts it may make certificates. */
  askPort: number;
}

/** A check waits for longer than the 0.9 seconds that /readyz may take: otherwise a busy process would be taken for a dead one. */
const CHECKS = 'inter 1s fall 3 rise 2';
const CHECK_TIMEOUT = '2s';
const STORE_CHECKS = 'inter 500ms fall 2 rise 1';
const UP_MS = 120_000;
/** Caddy says nowhere which processes it takes for healthy: several of its checks. */
const CADDY_SETTLE_MS = 4000;

/** Checks of /readyz, and nothing else that is not a default: a request is repeated only if no connection was made for it. */
export async function startHaproxy(belongings: Belongings, behind: Behind): Promise<Front> {
  const [port, statsPort] = [await freePort(), await freePort()];
  const servers = (ports: number[]) => ports.map((at) => `  server p${at} 127.0.0.1:${at}`).join('\n');
  const config = `
defaults
  mode http
  timeout connect 2s
  timeout client 90s
  timeout server 90s
  timeout check ${CHECK_TIMEOUT}
  timeout http-keep-alive 60s
  option redispatch
  option forwardfor
  option httpchk
  http-check send meth GET uri /readyz
  default-server check ${CHECKS}
frontend front
  bind 127.0.0.1:${port}
  use_backend web if { hdr(host) -i ${behind.web.host} }
  default_backend redirect
backend web
${servers(behind.web.ports)}
backend redirect
${servers(behind.redirect.ports)}
listen stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`;
  await runHaproxy(belongings, config, port);
  const untilUp = async (at: number) => {
    await until(async () => (await statesOf(statsPort)).get(`p${at}`) === 'UP', `HAProxy to see port ${at}`, UP_MS);
  };
  return { kind: 'haproxy', port, isTls: false, untilUp };
}

/** By server, from the page of figures. */
async function statesOf(statsPort: number): Promise<Map<string, string>> {
  const lines = (await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()).split('\n');
  const statusAt = lines[0]?.split(',').indexOf('status') ?? -1;
  return new Map(lines.map((line) => line.split(',')).map((cells) => [cells[1] ?? '', cells[statusAt] ?? '']));
}

async function runHaproxy(belongings: Belongings, config: string, port: number): Promise<void> {
  const file = path.join(await belongings.folder('haproxy'), 'haproxy.cfg');
  await writeFile(file, config);
  const proxy = belongings.spawn('haproxy', ['-db', '-f', file]);
  await untilOpen(port, proxy);
}

async function untilOpen(port: number, proxy: { hasEnded(): boolean; printed(): string }): Promise<void> {
  const isOpen = async () => {
    if (proxy.hasEnded()) throw new Error(`The proxy did not start:\n${proxy.printed()}`);
    return fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      (error) => error.cause?.code !== 'ECONNREFUSED',
    );
  };
  await until(isOpen, 'the proxy to listen', UP_MS);
}

/** As in docs/deploy/Caddyfile, with several processes behind it, their checks, and certificates of its own authority. */
export async function startCaddy(belongings: Belongings, behind: Behind): Promise<Front> {
  const [port, httpPort] = [await freePort(), await freePort()];
  const folder = await belongings.folder('caddy');
  const upstreams = (ports: number[]) => ports.map((at) => `127.0.0.1:${at}`).join(' ');
  const proxy = (ports: number[]) => `reverse_proxy ${upstreams(ports)} {
		flush_interval -1
		# The bench names the addresses of the people for whom it follows links.
		trusted_proxies 127.0.0.1/32
		health_uri /readyz
		health_interval 1s
		health_timeout 2s
		lb_try_duration 5s
		transport http {
			keepalive 60s
		}
	}`;
  const config = `{
	admin off
	skip_install_trust
	https_port ${port}
	http_port ${httpPort}
	storage file_system ${folder}
	on_demand_tls {
		ask http://127.0.0.1:${behind.askPort}/ask
	}
}

https:// {
	tls {
		on_demand
		issuer internal
	}
	respond /metrics 404
	@web host ${behind.web.host}
	handle @web {
		${proxy(behind.web.ports)}
	}
	handle {
		${proxy(behind.redirect.ports)}
	}
}
`;
  const file = path.join(folder, 'Caddyfile');
  await writeFile(file, config);
  const caddy = belongings.spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder },
  });
  await untilOpen(port, caddy);
  await delay(CADDY_SETTLE_MS);
  return { kind: 'caddy', port, isTls: true, untilUp: () => delay(CADDY_SETTLE_MS) };
}

/**
 * HAProxy in front of PostgreSQL, on the port that it returns. Beside each server a small endpoint says whether it is the one
 * that is written to, as Patroni's does; connections to one that is not are cut.
 */
export async function startStoreProxy(belongings: Belongings, servers: PostgresServer[]): Promise<number> {
  const port = await freePort();
  const lines: string[] = [];
  for (const server of servers) {
    const checkPort = await startRoleEndpoint(belongings, server);
    lines.push(`  server s${server.port} 127.0.0.1:${server.port} check port ${checkPort}`);
  }
  const config = `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check ${CHECK_TIMEOUT}
listen store
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth GET uri /
  default-server ${STORE_CHECKS} on-marked-down shutdown-sessions
${lines.join('\n')}
`;
  await runHaproxy(belongings, config, port);
  return port;
}

async function startRoleEndpoint(belongings: Belongings, server: PostgresServer): Promise<number> {
  const isWritten = async () => (await server.ask('SELECT pg_is_in_recovery() AS standby'))[0]?.standby === false;
  const endpoint = createServer(async (_, response) => {
    const status = (await isWritten().catch(() => false)) ? 200 : 503;
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  belongings.onClear(async () => endpoint.close());
  return (endpoint.address() as AddressInfo).port;
}
