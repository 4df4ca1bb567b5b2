// stores: any
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { inRoot } from '../../support/root.ts';
import { run } from '../../support/sampleRuns.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

/**
 * Fails where the product refuses, and lets streams end that go on for ever. One that waits for an event has half a minute for it: the
 * seconds of a guide are for a machine that has time.
 */
const SHELL = `set -euo pipefail
# /dev/stderr cannot be opened where it is a socket.
exec 2> >(cat >&2)
curl() {
  local words=("$@") code=0
  case " $* " in
    *" --max-time "*) sed -u '/^event: /q' < <(command curl -sS "$@" --max-time 30 2> /dev/null); return;;
    *" -N "*) words+=(--max-time 2);;
  esac
  command curl -sS --fail-with-body "\${words[@]}" || code=$?
  case "$code $*" in 0\\ *) ;; 28\\ *-*N*) ;; *) echo "curl $* ended with $code" >&2; exit 1;; esac
}
`;

/** The commands of a page, without those that install or start something. */
async function commandsOf(file: string, begins: RegExp): Promise<string[]> {
  const text = await readFile(inRoot(file), 'utf8');
  const fences = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  return fences.filter((code) => begins.test(code) && !code.startsWith('npm '));
}

describe('the commands of the guides', () => {
  const world = useWorld();
  let receiver: Receiver;
  let folder: string;

  before(async () => {
    receiver = await startReceiver();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-guides-'));
  });
  after(async () => {
    await receiver.close();
    await rm(folder, { recursive: true });
  });

  it('of the README and the tour work in their order, one after the other', async function () {
    this.timeout(120_000);
    const commands = [...(await commandsOf('README.md', /curl /)), ...(await commandsOf('docs/tour.md', /./))];
    expect(commands.length).to.be.greaterThan(10);
    const script = commands
      .join('\n')
      // The seconds of a guide are for a machine that has time.
      .replaceAll(/^sleep \d+; (.+)$/gm, 'for n in {1..60}; do $1 && break; sleep 1; done; [ $n -lt 60 ]')
      .replaceAll('http://localhost:3000', world.origin)
      .replaceAll('http://127.0.0.1:4000/', receiver.url)
      .replaceAll('sk_live_…', world.secretKey)
      .replaceAll('PASSWORD=…', `PASSWORD='${world.password}'`)
      .replaceAll('owner@example.com', world.email);
    const { code, out, err } = await run('bash', ['-c', SHELL + script], { cwd: folder, env: {} });
    expect(code, `${out}\n${err}`).to.equal(0);
    expect(out).to.include('event: link.created').and.include('Location: https://example.com');
    for (const type of ['link.created', 'link.clicked']) {
      await until(() => receiver.received.some(({ event }) => event.type === type), `${type} at the receiver`);
    }
  });

  it('that stand alone in others work with the ids and files of somebody', async function () {
    this.timeout(60_000);
    const pages = ['docs/matching.md', 'docs/domains.md', 'docs/moving-from-branch.md'];
    pages.push('docs/moving-from-firebase-dynamic-links.md');
    const { body: link } = await world.api('POST', '/links', { destination: 'https://example.com/' });
    const commands = (await Promise.all(pages.map((page) => commandsOf(page, /^curl /)))).flat();
    expect(commands.length).to.equal(6);
    const files = [
      ['branch-links.csv', 'url,$fallback_url\nhttps://go.example.com/a,https://example.com/a\n'],
      [
        'dynamic-links.csv',
        'Link name,Short link,Long link\nA,https://a.page.link/a,https://a.page.link/?link=https://example.com/\n',
      ],
    ] as const;
    for (const [name, text] of files) await writeFile(path.join(folder, name), text);
    const script = commands
      .join('\n')
      .replaceAll(/http:\/\/localhost:3000|https:\/\/(svc|links)\.example\.com/g, world.origin)
      .replaceAll('lnk_…', link.id);
    const { code, out, err } = await run('bash', ['-c', SHELL + script], {
      cwd: folder,
      env: { KEY: world.secretKey },
    });
    expect(code, `${out}\n${err}`).to.equal(0);
  });
});
