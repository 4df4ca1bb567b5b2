// plays, stores: none
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { inRoot } from '../support/root.ts';

const SCRIPT = inRoot('scripts/buildIfChanged.mjs');

describe('A start without development packages', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'svc-start-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = () => spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' });

  it('runs what was built before', () => {
    mkdirSync(path.join(folder, 'dist/app'), { recursive: true });
    writeFileSync(path.join(folder, 'dist/app/main.js'), '');
    const { status, stderr } = run();
    expect([status, stderr]).to.deep.equal([0, '']);
  });

  it('says what to do where nothing was built', () => {
    const { status, stderr } = run();
    expect(status).to.equal(1);
    expect(stderr).to.include('Run npm install and npm run build first.');
  });
});
