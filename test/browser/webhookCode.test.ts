// plays, stores: any
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { usePages } from '../support/browser.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';

/** How the code that the page shows is run on a body and headers, which it reads from the environment. */
const RUNS = {
  Node: {
    file: 'verify.mjs',
    command: process.execPath,
    more: `const { BODY, ...headers } = process.env;
const results = ['GOOD', 'FORGED', 'EMPTY'].map((name) => isGenuine(Buffer.from(BODY), headers[name]));
console.log(JSON.stringify(results));`,
  },
  Python: {
    file: 'verify.py',
    command: 'python3',
    more: `import json, os
body = os.environ["BODY"].encode()
print(json.dumps([is_genuine(body, os.environ[name]) for name in ("GOOD", "FORGED", "EMPTY")]))`,
  },
};

describe('the code that verifies signatures', () => {
  const world = useWorld();
  const pages = usePages(world);
  let receiver: Receiver;
  let folder: string;

  before(async () => {
    receiver = await startReceiver();
    folder = await mkdtemp(path.join(tmpdir(), 'verify-'));
  });
  after(async () => {
    await receiver.close();
    await rm(folder, { recursive: true });
  });

  it('accepts what was sent, and refuses what is forged or unsigned', async () => {
    const page = await pages.open();
    await page.goto('/app/webhooks/new');
    await page.getByLabel('Endpoint URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    const { body, headers } = await receiver.waitFor(() => true, 'the test');
    const signature = String(headers['svc-signature']);
    const forged = signature.replace(/v1=./, (start) => `v1=${start.endsWith('0') ? '1' : '0'}`);
    for (const [language, { file, command, more }] of Object.entries(RUNS)) {
      // The radio button itself is hidden below its label.
      await page.getByText(language, { exact: true }).click();
      const code = page.getByRole('region', { name: `code for ${language}` });
      const source = path.join(folder, file);
      await writeFile(source, `${await code.textContent()}\n${more}\n`);
      const env = { PATH: process.env.PATH, BODY: body, GOOD: signature, FORGED: forged, EMPTY: 'v1' };
      const { stdout, stderr, error } = spawnSync(command, [source], { env, encoding: 'utf8' });
      // Python is not on every machine.
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') continue;
      expect(stderr).to.equal('');
      expect(JSON.parse(stdout), language).to.deep.equal([true, false, false]);
    }
  });
});
