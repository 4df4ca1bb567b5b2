// stores: any
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { expectGolden, hasProgram, masked, useShell } from '../../support/cli.ts';
import { addLinkDomain } from '../../support/linkDomains.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const FILE = `version: 1
stack: marketing
tags:
  q4: { color: blue }
links:
  spring: https://example.com/sale
  docs:
    slug: handbook
    destination: https://docs.example.com
    tags: [q4]
    utm: { source: newsletter }
    password: { env: HANDBOOK_PASSWORD }
  old-name: { slug: oldie, destination: https://example.com/old }
  summer: https://example.com/summer
webhooks:
  orders: { url: http://127.0.0.1:9999/orders, event_types: [link.clicked], scope: { tag: q4 } }
`;

/** The same after a while: something new, changed, moved, gone, and a slug that somebody took. */
const NEXT = FILE.replace(
  '  spring: https',
  '  autumn: https://example.com/autumn\n  promo: https://example.com/promo\n  spring: https',
)
  .replace('docs.example.com', 'docs.example.com/v2')
  .replace('tags: [q4]', 'tags: [q4, docs]')
  .replace('source: newsletter', 'source: mail, term: x')
  .replace('  old-name:', '  renamed:')
  .replace(/ {2}summer.*\n/, '')
  .concat('moved: [{ from: old-name, to: renamed }]\n');

const PASSWORD = { HANDBOOK_PASSWORD: 'correct horse' };

describe('plan, apply and code', () => {
  const world = useWorld();
  const shell = useShell();
  let mine: Tenant;
  let env: Record<string, string>;
  let folder: string;
  let projects = 0;

  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    projects += 1;
    await addLinkDomain(mine.projectId, `own-${projects}.example.org`);
    await mine.api('PATCH', `/projects/${mine.projectId}`, { default_domain: `own-${projects}.example.org` });
    const { key } = (await mine.api('POST', '/keys', { name: 'code', scopes: ['*'] })).body;
    env = { SVC_URL: world.origin, SVC_KEY: key };
    folder = path.join(shell.home, `stack-${projects}`);
    mkdirSync(folder);
    write(FILE);
  });

  const write = (text: string, name = 'links.yaml') => writeFileSync(path.join(folder, name), text);
  const svc = (args: string[], more: Record<string, string> = {}) =>
    shell.svc(args, { env: { ...env, ...more }, cwd: folder });
  const hidden = (text: string) =>
    masked(text)
      .replaceAll(`own-${projects}.example.org`, 'go.example.com')
      .replace(/"digest":"\w+"/, '"digest":"…"');

  it('shows what is planned, as text, Markdown and JSON, and ends with 0, 1 or 2', async () => {
    const first = await svc(['plan']);
    expect([first.code, first.stderr]).to.deep.equal([2, '']);
    expectGolden('code-plan-first', hidden(first.stdout));
    const applied = await svc(['apply', '--yes'], PASSWORD);
    expect(applied.code, applied.stderr).to.equal(0);
    expectGolden('code-apply', hidden(applied.stdout + applied.stderr));
    const nothing = await svc(['plan']);
    expect([nothing.code, hidden(nothing.stdout)]).to.deep.equal([
      0,
      'Stack marketing on 127.0.0.1:PORT., project Neighbours (prj_ID)    1 file, 4 links\nPlan: 6 unchanged.\n',
    ]);
    await mine.api('POST', '/links', { slug: 'promo', destination: 'https://example.com/promo' });
    write(NEXT);
    const next = await svc(['plan', '--prune', '--drift']);
    expect(next.code).to.equal(1);
    expectGolden('code-plan-next', hidden(next.stdout));
    const adopting = await svc(['plan', '--prune', '--adopt', '--format', 'markdown']);
    expect(adopting.code).to.equal(2);
    expectGolden('code-plan-markdown', hidden(adopting.stdout));
    expect((await svc(['plan', '--adopt', '--detailed-exitcode', 'false'])).code).to.equal(0);
    const json = await svc(['plan', '--adopt', '--json']);
    expectGolden(
      'code-plan-json',
      hidden(JSON.stringify(JSON.parse(json.stdout), null, 1)).replace(/"digest": "\w+"/, '"digest": "…"'),
    );
    expect(json.stdout).not.to.include('correct horse');
  });

  it('applies what was kept, and refuses it once something changed', async () => {
    expect((await svc(['plan', '-o', 'plan.json', '--check'])).code).to.equal(2);
    expect(readFileSync(path.join(folder, 'plan.json'), 'utf8')).to.not.include('correct horse');
    rmSync(path.join(folder, 'links.yaml'));
    const { code, stdout } = await svc(['apply', 'plan.json', '--yes'], PASSWORD);
    expect([code, stdout.includes('In step')]).to.deep.equal([0, true]);
    write(FILE.replace('/sale', '/sale2'));
    await svc(['plan', '-o', 'plan.json']);
    const { id } = (await mine.api('GET', '/links/ext_marketing%2Fspring')).body;
    await mine.api('PATCH', `/links/${id}`, { notes: 'by hand' });
    const stale = await svc(['apply', 'plan.json', '--yes']);
    expect([stale.code, stale.stderr.split('\n')[0]]).to.deep.equal([
      1,
      'error: plan_stale: The files or the server have changed since the plan was made.',
    ]);
    expect((await mine.api('GET', `/links/${id}`)).body.destination).to.equal('https://example.com/sale');
  });

  it('changes nothing without a yes, and nothing where a secret is missing', async () => {
    const unasked = await svc(['apply'], PASSWORD);
    expect([unasked.code, unasked.stderr]).to.deep.equal([
      1,
      'error: needs_yes: This is 6 to create, 0 unchanged. This needs --yes where nobody can be asked.\n',
    ]);
    const missing = await svc(['apply', '--yes']);
    expect([missing.code, missing.stderr]).to.deep.equal([
      1,
      'error: secret_missing: The variable HANDBOOK_PASSWORD is missing or empty: passwords are read from there.\nNothing was changed.\n',
    ]);
    expect((await mine.api('GET', '/links')).body.data).to.deep.equal([]);
  });

  it('asks on a terminal', async function () {
    if (!hasProgram('script')) return this.skip();
    const terminal = shell.terminal(`cd ${folder} && svc apply`, { env: { ...env, ...PASSWORD } });
    await terminal.shows(/Type yes to go on/);
    expect(terminal.shown()).to.match(/\+ link spring/);
    terminal.type('yes\r');
    const { code, shown } = await terminal.ended();
    expect(code, shown).to.equal(0);
    expect(shown).to.include('Applied 6. In step');
    return undefined;
  });

  it('reads passwords from files, and keeps secrets of webhooks for their owner', async () => {
    write(FILE.replace('{ env: HANDBOOK_PASSWORD }', '{ file: handbook.txt }'));
    write('correct horse\n', 'handbook.txt');
    write('', 'secrets.json');
    chmodSync(path.join(folder, 'secrets.json'), 0o644);
    const { code, stderr, stdout } = await svc(['apply', '--yes', '--secrets-out', 'secrets.json']);
    expect(code, stderr).to.equal(0);
    expect(stdout + stderr).to.not.include('whsec_');
    expect(statSync(path.join(folder, 'secrets.json')).mode & 0o777).to.equal(0o600);
    const kept = JSON.parse(readFileSync(path.join(folder, 'secrets.json'), 'utf8'));
    const [hook] = (await mine.api('GET', '/webhooks')).body.data;
    const { secret } = (await mine.api('GET', `/webhooks/${hook.id}/secret`)).body;
    expect(kept).to.deep.equal({ name: 'orders', id: hook.id, secret });
  });

  it('does the rest where something is refused, and ends with 3', async () => {
    write(FILE.replace('https://example.com/sale', 'ftp://example.com/sale'));
    const { code, stderr, stdout } = await svc(['apply', '--yes'], PASSWORD);
    expect([code, stderr.includes('failed: link spring: validation_failed: destination:')]).to.deep.equal([3, true]);
    expect(stdout).to.include('Applied 5. Not in step yet: Plan: 1 to create, 5 unchanged.');
    const checked = await svc(['plan', '--check']);
    expect([checked.code, checked.stderr.includes('failed: link spring')]).to.deep.equal([1, true]);
  });

  it('holds back what looks like the wrong file', async () => {
    const links = (count: number) => Array.from({ length: count }, (_, at) => `  l${at}: https://example.com/${at}`);
    write(`version: 1\nstack: many\nlinks:\n${links(12).join('\n')}`);
    expect((await svc(['apply', '--yes'])).code).to.equal(0);
    write(`version: 1\nstack: many\nlinks:\n${links(6).join('\n')}`);
    const { code, stderr } = await svc(['apply', '--yes', '--prune']);
    expect([code, stderr]).to.deep.equal([
      1,
      'error: too_many_changes: 6 of 12 (50 %) would be archived or deleted, more than 30 %; --allow-many permits it.\n',
    ]);
    expect((await svc(['apply', '--yes', '--prune', '--allow-many'])).code).to.equal(0);
    expect((await mine.api('GET', '/links/count?status=archived')).body.count).to.equal(6);
  });

  it('exports what it then adopts without a change', async () => {
    for (const slug of ['One', 'two'])
      await mine.api('POST', '/links', { slug, destination: 'https://example.com/1', tags: ['t'] });
    const exported = await svc(['code', 'export', '--stack', 'site', '-o', 'site.yaml']);
    expect([exported.code, exported.stderr]).to.deep.equal([0, '2 links\n']);
    expectGolden(
      'code-export',
      hidden(readFileSync(path.join(folder, 'site.yaml'), 'utf8')).replace(/127.*PORT\./, 'links.example.com'),
    );
    const adopted = await svc(['code', 'adopt', '-f', 'site.yaml', '--yes']);
    expect(adopted.code, adopted.stderr).to.equal(0);
    expect((await svc(['plan', '-f', 'site.yaml'])).code).to.equal(0);
  });

  it('checks files without a server, and reads folders and stdin', async () => {
    const bare = { SVC_URL: '', SVC_KEY: '' };
    mkdirSync(path.join(folder, 'links', 'more'), { recursive: true });
    write('version: 1\nstack: s\nlinks: { a: https://example.com/a }', 'links/b.yaml');
    write('{"version": 1, "stack": "s", "links": {"b": "https://example.com/b"}}', 'links/more/a.json');
    const good = await svc(['code', 'validate', '-f', 'links'], bare);
    expect([good.code, good.stdout]).to.deep.equal([0, 'Stack s: 2 files, 2 links, no problem.\n']);
    write('version: 1\nstack: s\nlinks:\n  a: 1\n  B: {}\n', 'links/c.yaml');
    const bad = await svc(['code', 'validate', '-f', 'links'], bare);
    expect(bad.code).to.equal(1);
    expectGolden('code-validate', bad.stderr);
    const json = await svc(['code', 'validate', '-f', 'links', '--json'], bare);
    expect(JSON.parse(json.stderr).error.fields[0]).to.include({
      file: 'links/c.yaml',
      line: 4,
      column: 3,
      path: 'links.a',
    });
    const piped = await shell.svc(['code', 'validate', '-f', '-'], { input: FILE, cwd: folder });
    expect(piped.stdout).to.equal('Stack marketing: 1 file, 4 links, no problem.\n');
    rmSync(path.join(folder, 'links.yaml'));
    rmSync(path.join(folder, 'links'), { recursive: true });
    expect((await svc(['code', 'validate'], bare)).code).to.equal(64);
    expect(JSON.parse((await svc(['code', 'schema'], bare)).stdout).title).to.equal('Links as code');
  });

  it('says which key or server is wrong as all commands do', async () => {
    expect((await svc(['plan'], { SVC_KEY: 'sk_live_wrong' })).code).to.equal(4);
    expect((await svc(['plan'], { SVC_URL: 'http://127.0.0.1:1' })).code).to.equal(69);
    expect((await svc(['plan', '--prune', 'perhaps'])).code).to.equal(64);
  });
});
