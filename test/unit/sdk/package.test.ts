// stores: any
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../../support/root.ts';
import { SdkPackage } from '../../support/sdkPackage.ts';

const source = path.join(ROOT, 'sdk/webhooks');

const PROGRAM = `
import { constructEvent, signatureHeader, testEvent, WebhookVerificationError } from 'SVC-Webhooks';
const rawBody = JSON.stringify(testEvent('link.created', { n: 1 }));
const header: string = signatureHeader({ rawBody, secret: 'whsec_a' });
const { data } = constructEvent<{ n: number }>(new TextEncoder().encode(rawBody), header, ['whsec_b', 'whsec_a']);
const n: number = data.n;
// @ts-expect-error a parsed body is no raw body
const parsed = () => constructEvent(JSON.parse(rawBody) as { id: string }, header, 'whsec_a');
try {
  parsed();
} catch (error) {
  if (error instanceof WebhookVerificationError) console.log(n, error.code);
}
`;

describe('the package SVC-Webhooks', function () {
  this.timeout(120_000);
  let installed: SdkPackage;
  before(async () => {
    installed = await SdkPackage.install('webhooks');
  });
  after(() => installed.remove());

  it('is used from TypeScript of every kind and run without it, with no types and no packages beside it', async () => {
    const printed = await installed.compileAndRun(PROGRAM);
    expect(Object.keys(printed)).to.have.length.above(3);
    for (const [project, text] of Object.entries(printed)) expect(text, project).to.equal('1 body_not_raw\n');
  });

  it('imports node:crypto and nothing else', async () => {
    const imported = new Set<string | undefined>();
    const files = await readdir(path.join(installed.installed, 'dist'), { recursive: true });
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      const code = await readFile(path.join(installed.installed, 'dist', file), 'utf8');
      for (const [, name] of code.matchAll(/(?:from|import|require)\s*\(?\s*['"]([^'"]+)['"]/g)) imported.add(name);
    }
    expect([...imported].filter((name) => !name?.startsWith('./'))).to.deep.equal(['node:crypto']);
  });

  it('depends on nothing, says what it is, and can be published by nobody', async () => {
    const manifest = JSON.parse(await readFile(path.join(installed.installed, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).to.deep.equal([]);
    expect(manifest).to.deep.include({ name: 'SVC-Webhooks', license: 'MIT', type: 'module', private: true });
    // npm takes no new package with a capital letter: see docs/decisions.
    expect(manifest.name).to.not.equal(manifest.name.toLowerCase());
    const licence = await readFile(path.join(installed.installed, 'LICENSE'), 'utf8');
    expect(licence).to.equal(await readFile(path.join(ROOT, 'LICENSE'), 'utf8'));
    const readme = await readFile(path.join(installed.installed, 'README.md'), 'utf8');
    expect(readme).to.equal(await readFile(path.join(source, 'README.md'), 'utf8'));
    expect(readme).to.include(`/downloads/${manifest.name}-${manifest.version}.tgz`);
  });
});
