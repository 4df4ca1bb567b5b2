// stores: any

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { hasProgram, useShell } from '../../support/cli.ts';
import { useWorld } from '../../support/world.ts';

const ROWS = 3000;

describe('what svc does in scripts', () => {
  const world = useWorld();
  const shell = useShell();
  const env = (more: Record<string, string> = {}) => ({ SVC_URL: world.origin, SVC_KEY: world.secretKey, ...more });
  const svc = (args: string[], more: Record<string, string> = {}, input = '') =>
    shell.svc(args, { env: env(more), input });
  const csv = (name: string, lines: string[]) => {
    const file = path.join(shell.home, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };

  it('prints the short URL of a new link and nothing else', async () => {
    const { stdout, stderr } = await svc([
      'links',
      'create',
      'example.com/b',
      'printed',
      '--tags',
      'w1,w2',
      '--expires-at',
      '30d',
    ]);
    expect([stdout.endsWith('/printed\n'), stderr]).to.deep.equal([true, '']);
    const { body } = await world.api('GET', '/links?search=printed');
    expect(body.data[0]).to.deep.include({ destination: 'https://example.com/b', tags: ['w1', 'w2'] });
    expect(Date.parse(body.data[0].expires_at) - Date.now()).to.be.within(29.9 * 86_400_000, 30 * 86_400_000);
  });

  it('imports a file, tells how far it is, and ends with 3 where rows failed', async () => {
    const lines = Array.from({ length: ROWS }, (_, at) => `https://example.com/${at},row-${at}`);
    const file = csv('links.csv', ['destination,slug', ...lines, 'no address,bad']);
    const errors = path.join(shell.home, 'errors.csv');
    const { code, stdout, stderr } = await svc(['links', 'import', file, '--wait', '--errors', errors], { CI: 'true' });
    expect(code, stderr).to.equal(3);
    expect(stdout).to.contain(`created\t${ROWS}\n`).and.contain('failed\t1\n');
    expect(readFileSync(errors, 'utf8')).to.match(/^row,column,message\r?\n3002,destination,/);
    expect((await world.api('GET', '/links/count?search=row-')).body.count).to.equal(ROWS);
  });

  it('shows a bar in a terminal', async function () {
    if (!hasProgram('script')) return this.skip();
    const file = csv('more.csv', ['destination,slug', 'https://example.com/1,bar-1']);
    const { code, shown } = await shell.terminal(`svc links import ${file} --wait`, { env: env() }).ended();
    expect(code, shown).to.equal(0);
    expect(shown).to.match(/Importing █+ 100 %/);
    return undefined;
  });

  it('takes a file from a pipe and only checks it', async () => {
    const { code, stdout } = await svc(
      ['links', 'import', '-', '--dry-run', '--wait', '--json'],
      {},
      'destination,slug\nhttps://example.com,dry\n',
    );
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.include({ status: 'finished', dry_run: true });
    expect((await svc(['links', 'get', 'dry'])).code).to.equal(5);
  });

  it('changes all links that match, in batches, after a question', async () => {
    const unasked = await svc(['links', 'update', '--where', 'search=row-', '--title', 'many']);
    expect(unasked.code).to.equal(1);
    expect(unasked.stderr)
      .to.contain(`… and ${ROWS - 5} more`)
      .and.contain('needs_yes');
    const dry = await svc(['links', 'update', '--where', 'search=row-', '--title', 'many', '--dry-run']);
    expect(dry.stderr).to.contain(`Dry run: ${ROWS} changed, 0 failed.`);
    expect((await world.api('GET', '/links/count?search=many')).body.count).to.equal(0);
    const done = await svc([
      'links',
      'update',
      '--where',
      'search=row-',
      '--set',
      '{"title": "many"}',
      '--yes',
      '--json',
    ]);
    expect([done.code, JSON.parse(done.stdout).changed]).to.deep.equal([0, ROWS]);
    expect((await world.api('GET', '/links/count?search=many')).body.count).to.equal(ROWS);
  });

  it('exports what it imported', async () => {
    const file = path.join(shell.home, 'out.csv');
    expect((await svc(['links', 'export', '--search', 'row-', '-o', file])).code).to.equal(0);
    expect(readFileSync(file, 'utf8').trim().split('\n')).to.have.length(ROWS + 1);
  });

  it('saves QR codes by the ending of the file', async () => {
    const file = path.join(shell.home, 'code.png');
    expect((await svc(['links', 'qr', 'printed', '-o', file])).code).to.equal(0);
    expect(readFileSync(file).subarray(1, 4).toString()).to.equal('PNG');
  });

  it('calls anything with svc api', async () => {
    const made = await svc([
      'api',
      'POST',
      '/links',
      '-f',
      'destination=https://example.com/api',
      '-F',
      'tags[]=viaapi',
      '-f',
      'utm[source]=x',
    ]);
    expect(JSON.parse(made.stdout)).to.deep.include({ tags: ['viaapi'], destination: 'https://example.com/api' });
    const read = await svc(['api', 'links.get', '-f', `id=${JSON.parse(made.stdout).id}`, '-i']);
    expect(read.stdout)
      .to.match(/^HTTP 200\n/)
      .and.to.contain('x-request-id: req_');
    const all = await svc(['api', '/links?search=row-', '--paginate', '--jq', 'length']);
    expect(all.stdout).to.equal(`${ROWS}\n`);
    expect((await svc(['api', 'DELETE', `/links/${JSON.parse(made.stdout).id}`])).stderr).to.contain('needs_yes');
    expect((await svc(['api', 'links.delete', '-f', `id=${JSON.parse(made.stdout).id}`, '--yes'])).code).to.equal(0);
  });

  it('adds a domain with its records, and says when they are not there', async () => {
    const added = await svc(['domains', 'add', 'go.cli.example']);
    expect(added.code).to.equal(0);
    expect(added.stderr).to.match(/_svc-challenge\.go\.cli\.example\. TXT svc-verify=/);
  });

  it('makes a key for an assistant', async () => {
    const { stdout } = await svc(['keys', 'create', '--for-assistant', '--json']);
    const key = JSON.parse(stdout);
    expect(key.scopes).to.include('links:write').and.not.include('keys:write');
    expect(Date.parse(key.expires_at) - Date.now()).to.be.within(29 * 86_400_000, 31 * 86_400_000);
  });

  it('looks at everything with svc doctor', async () => {
    const { stdout } = await svc(['doctor']);
    expect(stdout)
      .to.match(/^address\tok\t/)
      .and.to.match(/\nkey\tok\t/)
      .and.to.match(/\nlink domain\tok\t/);
    const lost = await svc(['doctor'], { SVC_KEY: 'sk_live_wrong' });
    expect([lost.code, /key\tfail\tinvalid_key/.test(lost.stdout)]).to.deep.equal([1, true]);
  });
});
