import { spawn } from 'node:child_process';
import net from 'node:net';

const STAND_IN = 'dist/tests/test/support/standInPostgres.js';
const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const ANSWERS_MS = 2000;

/** The PostgreSQL for tests: `{ about, env, isStandIn, stop }`. Where none answers, PGlite behind a socket stands in. */
export async function findPostgres() {
  const url = process.env.TEST_POSTGRES_URL ?? DEFAULT_URL;
  const { hostname, port } = new URL(url);
  if (await answers(hostname, Number(port || 5432)))
    return { about: 'SQLite and PostgreSQL', env: { TEST_POSTGRES_URL: url }, isStandIn: false, stop() {} };
  return startStandIn();
}

function answers(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: ANSWERS_MS });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

async function startStandIn() {
  const child = spawn(process.execPath, [STAND_IN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
  return {
    about: 'SQLite (no PostgreSQL answers: PGlite stands in for a few files)',
    env: { TEST_POSTGRES_URL: url, TEST_POSTGRES_SHARED: 'true' },
    isStandIn: true,
    stop: () => child.kill(),
  };
}
