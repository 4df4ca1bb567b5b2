import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromiumPath } from '../../../support/chromium.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-popup-blocking',
];

/** A browser with a profile of its own. */
export class Chromium {
  private child: ChildProcess | undefined;
  private profile = '';

  /** null: it is there. */
  static get missing(): string | null {
    return chromiumPath === null ? 'skipped: there is no Chromium, and CHROMIUM names none' : null;
  }

  async open(url: string): Promise<void> {
    this.profile = await mkdtemp(path.join(tmpdir(), 'svc-chromium-'));
    this.child = spawn(String(chromiumPath), [...FLAGS, `--user-data-dir=${this.profile}`, url], { stdio: 'ignore' });
  }

  async close(): Promise<void> {
    if (this.child?.exitCode === null) {
      this.child.kill();
      await once(this.child, 'exit');
    }
    // Its last processes may still write there.
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}
