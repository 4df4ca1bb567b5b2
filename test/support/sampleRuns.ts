import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ManifestOperation } from '../../facade/manifest.ts';
import { TEXT_EXAMPLES } from '../../facade/openapi/examples.ts';
import { CSV_FILE } from '../../facade/reference/sampleRequest.ts';
import { type SampleName, samplesOf } from '../../facade/reference/samples.ts';
import { makeThings, type Things } from './operations.ts';
import type { Tenant } from './tenants.ts';

/** A sample as somebody runs it who has put in what is theirs. */
export interface Runnable {
  operation: ManifestOperation;
  code: string;
}

/** Ids in samples, by the first part: what they name. */
const THINGS: Record<string, keyof Things> = {
  prj: 'projects',
  lnk: 'links',
  tag: 'tags',
  dom: 'domains',
  whk: 'webhooks',
  dlv: 'deliveries',
  imp: 'imports',
  ins: 'installs',
  key: 'keys',
  alt: 'alerts',
};

/** What ends things comes last, so that one of each kind is enough. */
const ORDER = [null, 'reveals', 'sends', 'stops', 'deletes'];

/** The samples of a language in an order in which they all work, with these things in the place of those that they name. */
export async function runnablesOf(
  name: SampleName,
  operations: readonly ManifestOperation[],
  tenant: Tenant,
): Promise<Runnable[]> {
  const things = await makeThings(tenant);
  const externalId = `campaign-${randomUUID()}`;
  await tenant.api('PATCH', `/links/${things.links}`, { external_id: externalId });
  const rank = ({ danger }: ManifestOperation) => ORDER.indexOf(danger);
  return operations
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((operation) => {
      const sample = samplesOf(operation).find((one) => one.name === name);
      const known = operation.id === 'createLink' ? `new-${externalId}` : externalId;
      return sample ? [{ operation, code: withOwnThings(sample.code, things, known) }] : [];
    });
}

function withOwnThings(code: string, things: Things, externalId: string): string {
  const unique = randomUUID().slice(0, 8);
  return code
    .replaceAll(
      /\b([a-z]{3})_01kb1fm3s3e6rb7s2n9j0c4q7x/g,
      (whole, prefix) => things[THINGS[prefix] as keyof Things] ?? whole,
    )
    .replaceAll('campaign-42', externalId)
    .replaceAll('spring-sale', `spring-${unique}`)
    .replaceAll(/(?<=["'])(newsletter|spring)(?=["'])/g, `$1-${unique}`)
    .replaceAll('go.example.com', `${unique}.example.com`)
    .replaceAll('https://hooks.example.com', 'http://127.0.0.1:9999');
}

/** What a program said. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A folder with the files that samples read. */
export async function sampleFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'samples-'));
  await writeFile(path.join(folder, CSV_FILE), TEXT_EXAMPLES.startImport ?? '');
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Runs a program to its end, beside the product of this process. */
export function run(
  command: string,
  args: string[],
  { cwd, env, input = '' }: { cwd: string; env: Record<string, string>; input?: string },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.on('error', reject);
    // A program that reads nothing may end before it is given anything.
    child.stdin.on('error', () => {});
    child.on('close', (code) =>
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }),
    );
    child.stdin.end(input);
  });
}
