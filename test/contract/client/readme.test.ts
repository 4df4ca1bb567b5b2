// stores: any
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Import, OPERATIONS, Svc } from '../../../sdk/client/index.ts';
import { SdkPackage } from '../../support/sdkPackage.ts';
import { useWorld } from '../../support/world.ts';

describe('the client as its README uses it', function () {
  this.timeout(300_000);
  const world = useWorld();
  let installed: SdkPackage;
  before(async () => {
    installed = await SdkPackage.install('client');
  });
  after(() => installed.remove());

  it('runs every program, as the packed client against the product', async () => {
    const readme = await readFile(path.join(installed.installed, 'README.md'), 'utf8');
    const [first, ...programs] = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
    await writeFile(path.join(installed.home, 'svc.ts'), first as string);
    await writeFile(path.join(installed.home, 'package.json'), '{ "type": "module" }');
    const env = { ...process.env, SVC_URL: world.origin, SVC_KEY: world.secretKey };
    const printed: string[] = [];
    for (const [at, code] of programs.entries()) {
      // A product without the operation cannot run it; `tsc` reads it in any case.
      if (code.includes('events.stream') && !('streamEvents' in OPERATIONS)) {
        printed.push('');
        continue;
      }
      const file = path.join(installed.home, `program${at}.ts`);
      await writeFile(file, code);
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: installed.home, env });
      printed.push(stdout + stderr);
    }
    const [links, bulk, errors, files, , webhooks, anything] = printed;
    expect(links).to.match(/^https?:\/\/\S+\/\S+\n\S+ 0\n1 null null\n$/);
    expect(bulk).to.equal('2 would be created\n');
    expect(errors).to.match(/^validation_failed 422 \[[\s\S]*slug[\s\S]*req_/);
    expect(files)
      .to.include('destination,')
      .and.match(/finished[\s\S]*image\/png\n$/);
    expect(webhooks).to.equal('link.clicked\n');
    expect(anything).to.match(/^200 {"data":\[/);
  });

  it('waits for an import, and tells how far it is', async () => {
    const svc = new Svc({ url: world.origin, key: world.secretKey });
    async function* lines() {
      yield 'destination,slug\n';
      yield new TextEncoder().encode('https://example.com/one,from-a-stream\n');
      yield 'no destination,\n';
    }
    const rehearsed = await svc.imports.start(lines(), undefined, { dryRun: true });
    expect(JSON.parse(JSON.stringify(rehearsed))).to.not.have.property('finished');
    expect(await rehearsed.finished()).to.include({ status: 'finished', dry_run: true });
    const states: Import[] = [];
    const started = await svc.imports.start(lines(), { on_conflict: 'fail' });
    const ended = await started.finished({ onProgress: (state) => states.push(state) });
    expect(states.at(-1)).to.equal(ended);
    expect(ended.counts).to.include({ created: 1, failed: 1 });
    expect(await svc.imports.errors(ended.id).text()).to.match(/^row,column,message\n3,destination,/);
    let exported = '';
    for await (const part of svc.links.export({ batch_id: ended.batch_id })) exported += part;
    expect(exported.split('\n')).to.have.length(3);
    expect(exported).to.include('from-a-stream');
  });
});
