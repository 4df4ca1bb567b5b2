import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * After `npm install`: brings a Node where the one that runs npm is too old, and takes it away again where it is not. It becomes
 * `node_modules/.bin/node`, which stands first on the PATH of every npm script. With `--check`, as before a start: says in one
 * sentence what to do if this Node is too old, and brings nothing. Runs on Node 18, which lacks what other scripts use.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Versions and their hashes, which npm checks. */
const LISTED = path.join(ROOT, 'scripts/node');
const FILES = ['package.json', 'package-lock.json'];
const FILE = process.platform === 'win32' ? 'node.exe' : 'node';
const BROUGHT = path.join(ROOT, 'node_modules/.bin', FILE);

/** What is told in one sentence. */
class Fault extends Error {}

const { engines } = readJson(path.join(ROOT, 'package.json'));
const oldest = engines.node.replace('>=', '');
const npmNode = process.env.npm_node_execpath ?? process.execPath;

try {
  if (process.argv.includes('--check')) check(process.versions.node);
  else if (!isSameFile(npmNode, BROUGHT)) bringOrRemove(versionOf(npmNode));
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function check(version) {
  if (isOlder(version)) throw new Fault(`${need(version)}; run npm install, which brings one.`);
}

function bringOrRemove(version) {
  if (isOlder(version)) bring(version);
  else fs.rmSync(BROUGHT, { force: true });
}

function bring(version) {
  const { name, version: wanted } = packageFor(version);
  if (versionOf(BROUGHT) === wanted) return;
  process.stdout.write(`${need(version)}: npm brings ${wanted} for this folder.\n`);
  const folder = path.join(ROOT, `node_modules/.node-${process.pid}`);
  try {
    fs.mkdirSync(folder, { recursive: true });
    for (const file of FILES) fs.copyFileSync(path.join(LISTED, file), path.join(folder, file));
    install(folder, version);
    const binary = path.join(folder, 'node_modules', name, 'bin', FILE);
    // It may not run, where the C library is another one.
    if (versionOf(binary) !== wanted) throw new Fault(unavailable(version));
    fs.mkdirSync(path.dirname(BROUGHT), { recursive: true });
    fs.renameSync(binary, BROUGHT);
  } finally {
    // Headers, which nothing needs, are a third of the package.
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function packageFor(version) {
  const { packages } = readJson(path.join(LISTED, 'package-lock.json'));
  const fits = ({ os, cpu }) => [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);
  const found = Object.entries(packages).find(([, locked]) => fits(locked));
  if (!found) throw new Fault(unavailable(version));
  const [place, locked] = found;
  return { name: path.basename(place), version: locked.version };
}

function install(folder, version) {
  const npm = process.env.npm_execpath;
  if (!npm) throw new Fault(`${need(version)}; run npm install, not this script.`);
  const options = ['--prefix', folder, '--no-global', '--include=optional', '--ignore-scripts', '--prefer-offline'];
  const { status } = spawnSync(npmNode, [npm, 'install', '--silent', ...options], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Fault(`${need(version)}, and npm could not fetch one; run npm install again.`);
}

function need(version) {
  return `svc needs Node ${oldest} or newer, and this is Node ${version}`;
}

function unavailable(version) {
  return `${need(version)}; npm has none for ${process.platform} on ${process.arch}, so install one by other means.`;
}

/** The version of a Node binary, or null where it does not run. */
function versionOf(binary) {
  if (binary === process.execPath) return process.versions.node;
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return stdout?.trim().replace('v', '') || null;
}

function isOlder(version) {
  const [major, minor] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
  return major === oldestMajor ? minor < oldestMinor : major < oldestMajor;
}

/** Through links: npm itself is run by the Node that was brought where an npm script installs. */
function isSameFile(file, other) {
  return fs.existsSync(file) && fs.existsSync(other) && fs.realpathSync(file) === fs.realpathSync(other);
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
