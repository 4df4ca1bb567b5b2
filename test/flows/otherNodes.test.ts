// plays, stores: none
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { OLDEST_NODE } from '../../src/kernel/nodeVersion.ts';
import { nodeOf } from '../support/nodes.ts';
import { inRoot } from '../support/root.ts';

/** What differed between versions of Node: names of CommonJS modules, names of hosts, time zones; and a product with sign-ins. */
const FILES = [
  'test/unit/schema/documentCost.test.js',
  'test/unit/kernel/urls.test.js',
  'test/unit/attribution/compareDevices.test.js',
  'test/contract/audit/formerMembers.test.js',
];

/** The oldest one, and the last one of its major version, which finds some of the names in a CommonJS module: 22.12 finds none. */
const NODES = [OLDEST_NODE, '22.23.3'];

describe('A Node of npm', () => {
  for (const version of NODES)
    it(`runs the product without its bundle, as tests and development do: ${version}`, function () {
      const node = nodeOf(version);
      if (!node) this.skip();
      const built = (file: string) => inRoot(`dist/tests/${file}`);
      const { status, stdout, stderr } = spawnSync(
        node,
        [
          inRoot('node_modules/mocha/bin/mocha.js'),
          ...['--no-config', '--exit', '--timeout=120000'],
          ...['--require', built('test/support/hooks.js')],
          ...FILES.map(built),
        ],
        { env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, STORE: 'sqlite' }, encoding: 'utf8' },
      );
      expect(status, `${stdout}\n${stderr}`).to.equal(0);
      expect(stdout).to.match(/[1-9]\d* passing/);
    }).timeout(300_000);
});
