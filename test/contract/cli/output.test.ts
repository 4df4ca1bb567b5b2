// stores: any
import { expect } from 'chai';
import { expectGolden, hasProgram, masked, useShell } from '../../support/cli.ts';
import { useWorld } from '../../support/world.ts';

const LONG = `https://example.com/a/long/path/${'x'.repeat(80)}`;
const HELP = [
  [],
  ['links'],
  ['links', 'create'],
  ['links', 'update'],
  ['links', 'import'],
  ['stats'],
  ['api'],
  ['webhooks', 'create'],
];
/** What a terminal shows in colors begins so. */
const COLOR = '\x1b[2m';

describe('what svc prints', () => {
  const world = useWorld();
  const shell = useShell();
  const signedIn = () => ({ SVC_URL: world.origin, SVC_KEY: world.secretKey });
  const svc = (args: string[], env: Record<string, string> = {}) => shell.svc(args, { env: { ...signedIn(), ...env } });
  const shown = async (command: string, columns: number, env: Record<string, string> = {}) =>
    (await shell.terminal(command, { columns, env: { ...signedIn(), ...env } }).ended()).shown;

  before(async () => {
    for (const [slug, destination, title] of [
      ['april', 'https://example.com/sale', 'Größe 春 🌸'],
      ['long', LONG, null],
      ['steer', 'https://example.com/', 'red \u001b[31m and \u0007 bell'],
    ]) {
      const { status } = await world.api('POST', '/links', { slug, destination, title, tags: ['q4', 'mail'] });
      expect(status).to.equal(201);
    }
  });

  for (const words of HELP) {
    it(`svc ${words.join(' ')} --help, at 80 and 120 columns`, async () => {
      for (const columns of ['80', '120']) {
        const { code, stdout, stderr } = await shell.svc([...words, '--help'], { env: { COLUMNS: columns } });
        expect([code, stderr]).to.deep.equal([0, '']);
        for (const line of stdout.split('\n')) expect(line.length, line).to.be.at.most(Number(columns));
        expectGolden(`help-${words.join('-') || 'svc'}-${columns}`, stdout);
      }
    });
  }

  it('is the table of exit codes for svc help exit-codes', async () => {
    const { stdout } = await shell.svc(['help', 'exit-codes']);
    expectGolden('help-exit-codes', stdout);
  });

  it('is the answer of the server byte for byte with --json', async () => {
    const sent = await fetch(`${world.origin}/api/v1/links?tag=q4`, {
      headers: { Authorization: `Bearer ${world.secretKey}` },
    });
    const { stdout } = await svc(['links', 'list', '--tag', 'q4', '--json']);
    expect(stdout).to.equal(await sent.text());
  });

  it('is separated by tabs and whole where it is piped', async () => {
    const { stdout, stderr } = await svc(['links', 'list', '--header', '--sort', 'created_at', '--order', 'asc']);
    expectGolden('links-list-piped', masked(stdout));
    expect(stderr).to.equal('');
    expect(stdout).to.contain(LONG);
    expect(stdout).to.not.contain('\x1b');
  });

  it('walks through all pages as one list', async () => {
    const all = await svc(['links', 'list', '--all', '--limit', '1', '--json', '--fields', 'slug']);
    expect(JSON.parse(all.stdout).map(({ slug }: { slug: string }) => slug)).to.have.members([
      'april',
      'long',
      'steer',
    ]);
    const one = await svc(['links', 'list', '--limit', '1']);
    expect(one.stdout.trim().split('\n')).to.have.length(1);
    expect(one.stderr).to.contain('--cursor ');
  });

  it('is what jq makes of it, one line for each result', async () => {
    const { stdout } = await svc(['links', 'list', '--order', 'asc', '--jq', '.data[] | {slug, tags}']);
    expect(stdout.split('\n')[0]).to.equal('{"slug":"april","tags":["mail","q4"]}');
    const wrong = await svc(['links', 'list', '--jq', '.data[']);
    expect([wrong.code, wrong.stderr.includes('jq_failed')]).to.deep.equal([1, true]);
  });

  it('has the fields that are asked for', async () => {
    const { stdout } = await svc(['links', 'get', 'april', '--fields', 'slug,clicks,title']);
    expect(stdout).to.equal('slug\tapril\nclicks\t0\ntitle\tGröße 春 🌸\n');
  });

  describe('in a terminal', () => {
    before(function () {
      if (!hasProgram('script')) this.skip();
    });

    it('is a table that fits, in colors', async () => {
      const text = await shown('svc links list --order asc', 80);
      expect(text).to.contain(COLOR);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are taken off
      const plain = masked(text.replace(/\x1b\[\d+m/g, ''));
      for (const line of plain.split('\n')) expect([...line].length, line).to.be.at.most(80);
      expectGolden('links-list-terminal-80', plain);
    });

    it('has fewer columns at 40, and no control characters of strangers', async () => {
      const text = await shown('svc links list --fields title,destination,slug --order asc', 40, { NO_COLOR: '1' });
      for (const line of text.split('\r\n')) expect([...line].length, line).to.be.at.most(40);
      expect(text).to.contain('red  [31m').and.not.contain('\x1b[31m').and.not.contain('\x07');
    });

    it('has no colors with NO_COLOR and --no-color, and colors in pipes with FORCE_COLOR', async () => {
      expect(await shown('svc links list', 80, { NO_COLOR: '1' })).to.not.contain('\x1b[');
      expect(await shown('svc --no-color links list', 80)).to.not.contain('\x1b[');
    });

    it('shows a link line by line, and a QR code', async () => {
      expect(await shown('svc links get april', 80, { NO_COLOR: '1' })).to.match(
        /SHORT URL +http.*\r\nDESTINATION +https:/,
      );
      const code = await shown('svc links qr april', 80);
      expect(code.trim().split('\r\n')[0]).to.match(/^█{25,}$/);
    });

    it('draws figures', async () => {
      expect(await shown('svc stats', 80)).to.match(/0 clicks, 0 unique {2}\(.*UTC\)\r\n▁+/);
    });
  });
});
