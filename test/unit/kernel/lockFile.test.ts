// stores: none
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  resolved?: string;
}

/** Packages of their own: see scripts/onDemand.mjs. */
const ON_DEMAND = globSync('{bench,scripts/{lint,graphiql},test/*}/package.json').map((file) => path.dirname(file));
const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'));

describe('the lock file', () => {
  const packages = Object.entries<Locked>(read('package-lock.json').packages).filter(([place]) => place !== '');
  const { allowScripts } = read('package.json');

  for (const folder of ['.', ...ON_DEMAND]) {
    it(`has a hash of every package, and no address of a registry: ${folder}`, () => {
      const locked = Object.entries<Locked>(read(`${folder}/package-lock.json`).packages).filter(([place]) => place);
      expect(locked.length).to.be.above(10);
      expect(locked.filter(([, { integrity }]) => !integrity).map(([place]) => place)).to.deep.equal([]);
      expect(locked.filter(([, { resolved }]) => resolved).map(([place]) => place)).to.deep.equal([]);
    });
  }

  it('of packages on demand lets none run scripts', () => {
    expect(ON_DEMAND).to.have.length(4);
    for (const folder of ON_DEMAND) {
      expect(readFileSync(`${folder}/.npmrc`, 'utf8'), folder).to.match(/^ignore-scripts=true$/m);
    }
  });

  it('brings a Node only where an older one runs npm: no package has one', () => {
    expect(packages.filter(([path]) => /^node_modules\/node-(bin-)?(linux|darwin|win)-/.test(path))).to.deep.equal([]);
    expect(read('package.json').scripts.postinstall).to.equal('node scripts/bringNode.mjs');
  });

  it('lets few packages run scripts at their installation', () => {
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed.sort()).to.deep.equal(['esbuild', 'sqlite3']);
  });
});

describe('the Node that is brought where an older one runs npm', () => {
  const { optionalDependencies: wanted } = read('scripts/node/package.json');
  const locked = read('scripts/node/package-lock.json').packages as Record<string, Locked>;

  it('is one exact version for each platform, with a hash and without a script', () => {
    expect(Object.keys(wanted)).to.have.length(5);
    for (const [name, version] of Object.entries(wanted)) {
      const { os, cpu, resolved, hasInstallScript, integrity, version: held } = locked[`node_modules/${name}`] ?? {};
      expect(held, name).to.equal(version);
      expect(integrity, name).to.match(/^sha512-/);
      expect([os, cpu], name).to.not.include(undefined);
      expect([resolved, hasInstallScript], name).to.deep.equal([undefined, undefined]);
    }
    expect(Object.keys(locked)).to.have.members(['', ...Object.keys(wanted).map((name) => `node_modules/${name}`)]);
  });

  it('has the same major version on both processors of a system', () => {
    const majors = new Map<string, Set<string>>();
    for (const [name, version] of Object.entries<string>(wanted)) {
      const system = String(locked[`node_modules/${name}`]?.os);
      majors.set(system, (majors.get(system) ?? new Set()).add(version.split('.')[0] ?? ''));
    }
    expect([...majors.keys()]).to.have.members(['linux', 'darwin', 'win32']);
    for (const [system, versions] of majors) expect([...versions], system).to.have.length(1);
  });
});
