// stores: none
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { loadConfig } from '../../../src/kernel/config.ts';
import { Blocklist } from '../../../src/scan/Blocklist.ts';
import { BlocklistFile } from '../../../src/scan/blocklistFiles.ts';
import { runChecks } from '../../../src/scan/scan.ts';
import { parseTarget, type Target } from '../../../src/scan/target.ts';

const target = (url: string) => parseTarget(url) as Target;

const LINES = `# harmful sites
bad.example
*.worse.example # with everything below
MÜNCHEN-BETRUG.example
198.51.100.7
[2001:db8::bad]
https://shared.example/bad/
http://shared.example:8080/port
shared.example/%62y-path?user=1

`;

const HELD = [
  'https://bad.example/',
  'http://bad.example:81/x',
  'https://www.bad.example/x?y#z',
  'https://a.b.bad.example./',
  'https://BAD.example/',
  'https://worse.example/',
  'https://xn--mnchen-betrug-wob.example/',
  'http://198.51.100.7/',
  'http://[2001:db8::bad]/',
  'https://shared.example/bad/',
  'http://shared.example/bad/page?x',
  'https://shared.example/b%61d/page',
  'https://shared.example/x/../bad/page',
  'https://shared.example:443/bad/',
  'https://shared.example:8080/port/of/call',
  'https://shared.example/by-path?user=12',
];

const NOT_HELD = [
  'https://example/',
  'https://notbad.example/',
  'https://bad.example.com/',
  'https://shared.example/',
  'https://shared.example/bad',
  'https://shared.example/BAD/',
  'https://www.shared.example/bad/',
  'https://shared.example:8443/bad/',
  'https://shared.example/port',
  'https://shared.example/by-path',
  'https://198.51.100.8/',
];

describe('Blocklists', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    file = path.join(folder, 'list.txt');
  });
  after(async () => {
    loadConfig({ LOG_LEVEL: 'silent' });
    await rm(folder, { recursive: true });
  });

  /** As if it had been written that long ago. */
  const write = async (content: string, ageSeconds = 10) => {
    await writeFile(file, content);
    const at = Date.now() / 1000 - ageSeconds;
    await utimes(file, at, at);
  };

  describe('entries', () => {
    const list = new Blocklist();
    for (const line of LINES.split('\n')) list.add(line);
    for (const url of HELD) it(`hold ${url}`, () => expect(list.find(target(url))).to.be.a('string'));
    for (const url of NOT_HELD) it(`do not hold ${url}`, () => expect(list.find(target(url))).to.equal(null));
    it('are hosts or URL prefixes', () => {
      expect(['two words', 'http://', ':', 'https://exa mple/x'].map((line) => list.add(line))).to.not.include(true);
    });
  });

  describe('files', () => {
    let warnings: string[];
    let read: BlocklistFile;
    const holds = (host: string) => read.list.find(target(`https://${host}/`)) !== null;

    beforeEach(() => {
      warnings = [];
      read = new BlocklistFile(file, (message) => warnings.push(message));
    });
    afterEach(() => rm(file, { force: true }));

    it('are read again when they change', async () => {
      await write('one.example\n');
      await read.refresh();
      await write('two.example\r\nthree.example\r\n', 5);
      await read.refresh();
      expect([holds('one.example'), holds('two.example'), holds('three.example')]).to.deep.equal([false, true, true]);
      expect(warnings).to.deep.equal([]);
    });

    it('leave the previous list in force when they are missing, and are read when they are back', async () => {
      await write('one.example\n');
      await read.refresh();
      await rm(file);
      await read.refresh();
      expect(holds('one.example')).to.equal(true);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.include(file).and.include('stays in force');
      await write('two.example\n');
      await read.refresh();
      expect(holds('two.example')).to.equal(true);
    });

    it('leave the previous list in force while they are being written', async () => {
      await write('one.example\ntwo.example\n');
      await read.refresh();
      await write('one.example\ntwo.exa', 10);
      await read.refresh();
      expect([holds('two.example'), holds('two.exa')]).to.deep.equal([true, false]);
      await write('', 10);
      await read.refresh();
      await write('three.example\n', 0);
      await read.refresh();
      expect([holds('two.example'), holds('three.example')]).to.deep.equal([true, false]);
      expect(warnings).to.have.length(3);
      await write('three.example\nfour.example\n', 2);
      await read.refresh();
      expect([holds('two.example'), holds('four.example')]).to.deep.equal([false, true]);
    });

    it('need no final line break once they have settled', async () => {
      await write('one.example\n');
      await read.refresh();
      await write('two.example', 21);
      await read.refresh();
      expect(holds('two.example')).to.equal(true);
    });

    it('are used as they are if there is no previous list, and read again when complete', async () => {
      await write('one.example\ntwo', 0);
      await read.refresh();
      expect(holds('one.example')).to.equal(true);
      await write('one.example\ntwo.example\n', 2);
      await read.refresh();
      expect(holds('two.example')).to.equal(true);
    });

    it('are reported if lines are invalid', async () => {
      await write('one.example\nwhat is this\n');
      await read.refresh();
      expect(holds('one.example')).to.equal(true);
      expect(warnings[0]).to.include('1 lines');
    });
  });

  it('are used by scans, and read again without a restart', async () => {
    const other = path.join(folder, 'other.txt');
    await writeFile(other, 'https://shared.example/bad/\n');
    await write('one.example\n');
    const BLOCKLIST_FILES = `${file}, ${other}`;
    loadConfig({ LOG_LEVEL: 'silent', BLOCKLIST_FILES, BLOCKLIST_RELOAD_SECONDS: '1' });
    const checks = async () => {
      const urls = ['https://one.example/', 'https://two.example/', 'http://shared.example/bad/1'];
      const results = await runChecks(urls.map((url) => [{ path: 'destination', url }]));
      return results.map(({ finding }) => finding?.check.name ?? null);
    };
    expect(await checks()).to.deep.equal(['blocklist', null, 'blocklist']);
    await write('two.example\n', 5);
    await delay(1100);
    expect(await checks()).to.deep.equal([null, 'blocklist', 'blocklist']);
  });
});
