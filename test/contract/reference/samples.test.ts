// stores: any
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { samplesOf } from '../../../facade/reference/samples.ts';
import { VERIFIERS } from '../../../sdk/verifiers.ts';
import { signatureHeader } from '../../../sdk/webhooks/index.ts';
import { useManifest } from '../../support/documentation.ts';
import { run, runnablesOf, sampleFolder } from '../../support/sampleRuns.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const TIMEOUT_MS = 240_000;

/** Runs all samples in one process, because starting Python takes longer than what they do. */
const PYTHON_RUNNER = `
import json, sys, traceback
results = []
for code in json.load(sys.stdin):
    try:
        exec(compile(code, "sample", "exec"), {})
        results.append(None)
    except Exception as error:
        body = error.read().decode() if hasattr(error, "read") else ""
        results.append(traceback.format_exc() + body)
sys.stderr.write(json.dumps(results))
`;

const VERIFIER_RUNS: Record<string, { file: string; command: string; more: string }> = {
  Node: {
    file: 'verify.mjs',
    command: process.execPath,
    more: `const { BODY, SECRET, ...headers } = process.env;
console.log(JSON.stringify(['GOOD', 'FORGED', 'OLD', 'EMPTY'].map((name) => isGenuine(Buffer.from(BODY), headers[name], SECRET))));`,
  },
  Python: {
    file: 'verify.py',
    command: 'python3',
    more: `import json, os
print(json.dumps([is_genuine(os.environ["BODY"].encode(), os.environ[name], os.environ["SECRET"]) for name in ("GOOD", "FORGED", "OLD", "EMPTY")]))`,
  },
  PHP: {
    file: 'verify.php',
    command: 'php',
    more: `echo json_encode(array_map(fn($name) => isGenuine(getenv('BODY'), getenv($name), getenv('SECRET')), ['GOOD', 'FORGED', 'OLD', 'EMPTY']));`,
  },
  Ruby: {
    file: 'verify.rb',
    command: 'ruby',
    more: `require "json"\nputs ["GOOD", "FORGED", "OLD", "EMPTY"].map { |name| genuine?(ENV["BODY"], ENV[name], ENV["SECRET"]) }.to_json`,
  },
};

describe('samples of the reference', function () {
  this.timeout(TIMEOUT_MS);
  const world = useWorld();
  const manifest = useManifest();
  let files: Awaited<ReturnType<typeof sampleFolder>>;

  before(async () => {
    files = await sampleFolder();
  });
  after(() => files.remove());

  /** A project of its own with the keys that its samples read. */
  async function withKeys(): Promise<{ tenant: Tenant; env: Record<string, string> }> {
    const tenant = await makeTenant(world);
    const make = async (kind: string) => (await tenant.api('POST', '/keys', { name: 'Samples', kind })).body.key;
    return { tenant, env: { SVC_KEY: await make('secret'), SVC_PUBLISHABLE_KEY: await make('publishable') } };
  }

  it('in curl do what they say, with the documented status', async () => {
    const { tenant, env } = await withKeys();
    const problems: string[] = [];
    for (const { operation, code } of await runnablesOf('curl', manifest.operations, tenant)) {
      // A stream has no end of its own.
      const script = `${code} -sS -w '\\n%{http_code}'${operation.answer.kind === 'stream' ? ' -m 2' : ''}`;
      const { out, err } = await run('sh', ['-c', script], { cwd: files.folder, env });
      const status = Number(out.trimEnd().split('\n').at(-1));
      const { kind, status: documented } = operation.answer;
      const statuses = kind === 'upsert' ? [200, 201] : [documented];
      if (!statuses.includes(status)) problems.push(`${operation.id}: ${status} ${out} ${err}\n${code}`);
    }
    expect(problems).to.deep.equal([]);
    for (const file of ['qr.svg', 'links.csv', 'import.csv']) await access(path.join(files.folder, file));
  });

  it('in Python do what they say', async () => {
    const { tenant, env } = await withKeys();
    const ending = manifest.operations.filter(({ answer }) => answer.kind !== 'stream');
    const runnables = await runnablesOf('Python', ending, tenant);
    const input = JSON.stringify(runnables.map(({ code }) => code));
    const { err } = await run('python3', ['-W', 'ignore', '-c', PYTHON_RUNNER], { cwd: files.folder, env, input });
    const results: (string | null)[] = JSON.parse(err);
    const problems = runnables.flatMap(({ operation, code }, at) =>
      results[at] === null ? [] : [`${operation.id}: ${results[at]}\n${code}`],
    );
    expect(results).to.have.length(ending.length);
    expect(problems).to.deep.equal([]);
  });

  it('of the command line name commands, arguments and flags that follow from the operation', () => {
    const kebab = (name: string) => name.replaceAll('_', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    for (const operation of manifest.operations.filter(({ api }) => api === 'rest')) {
      const code = samplesOf(operation).find(({ name }) => name === 'Command line')?.code ?? '';
      const [head = '', ...flags] = code.replaceAll(' \\\n ', '').split(/ (?=--?[a-z-]+(?: |$))/);
      const [program, resource, verb, ...args] = head.trim().split(/\s+/);
      expect([program, resource, verb], operation.id).to.deep.equal(['svc', ...operation.call.split('.').map(kebab)]);
      const variables = operation.params.filter((param) => param.in === 'path').length;
      const takesFile = operation.body !== null && operation.body.mediaType !== 'application/json';
      // `links create` takes destination and slug as arguments.
      const more = takesFile ? 1 : operation.id === 'createLink' ? 2 : 0;
      expect(args.length, operation.id).to.equal(variables + more);
      const fields = operation.params.filter((param) => param.in === 'query').map(({ name }) => name);
      const example = takesFile ? {} : ((operation.body?.example as object) ?? {});
      const known = [...fields, ...Object.keys(example)].map((name) => `--${kebab(name)}`);
      for (const flag of flags.map((text) => text.split(' ')[0] as string)) {
        if (!['-o', '--unset'].includes(flag))
          expect(known, `${operation.id} ${flag}`).to.include(flag.replace('--no-', '--'));
      }
    }
  });

  it('in TypeScript do what they say', async () => {
    const AsyncFunction = (async () => {}).constructor as new (
      ...names: string[]
    ) => (...given: unknown[]) => Promise<void>;
    const { Svc } = await import('../../../sdk/client/index.ts');
    const fs = await import('node:fs/promises');
    const { tenant, env } = await withKeys();
    const inFolder = (name: string) => path.join(files.folder, name);
    const given = {
      Svc,
      readFile: (name: string, encoding: BufferEncoding) => readFile(inFolder(name), encoding),
      writeFile: (name: string, data: Uint8Array) => fs.writeFile(inFolder(name), data),
      process: { env },
      console: { log: () => {} },
    };
    const problems: string[] = [];
    const ending = manifest.operations.filter(({ answer }) => answer.kind !== 'stream');
    for (const { operation, code } of await runnablesOf('TypeScript', ending, tenant)) {
      const body = code.replaceAll(/^import .*\n/gm, '');
      await new AsyncFunction(...Object.keys(given), body)(...Object.values(given)).catch((error) =>
        problems.push(`${operation.id}: ${error.message}\n${code}`),
      );
    }
    expect(problems).to.deep.equal([]);
  });

  for (const { name, code } of VERIFIERS) {
    const runs = VERIFIER_RUNS[name];
    if (!runs) continue;
    it(`that verify signatures in ${name} accept what is genuine and nothing else`, async function () {
      const { file, command, more } = runs;
      const body = JSON.stringify({ id: 'evt_1', text: 'Grüße' });
      const secret = 'whsec_of_this_test';
      const good = signatureHeader({ rawBody: body, secret });
      const forged = good.replace(/v1=./, (start) => `v1=${start.endsWith('0') ? '1' : '0'}`);
      const old = signatureHeader({ rawBody: body, secret, timestamp: Math.floor(Date.now() / 1000) - 301 });
      const source = path.join(files.folder, file);
      await (await import('node:fs/promises')).writeFile(source, `${code()}\n${more}\n`);
      const variables = { BODY: body, SECRET: secret, GOOD: good, FORGED: forged, OLD: old, EMPTY: 'v1' };
      const ended = await run(command, [source], { cwd: files.folder, env: variables }).catch((error) => error);
      // Not every language is on every machine.
      if (ended.code === 'ENOENT') return this.skip();
      expect(ended.err).to.equal('');
      expect(JSON.parse(ended.out)).to.deep.equal([true, false, false, false]);
    });
  }
});
