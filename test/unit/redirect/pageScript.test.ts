// stores: none
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { pageScript } from '../../../src/redirect/appPage/pageScript.ts';

type Click = (event: object) => void;

const STORE = 'https://apps.apple.com/app/id1';

/** Runs the script as a browser would; gives what it did, and a tap on a link that bears these data. */
function loadPage({ navigator = {}, fetching = true }: { navigator?: object; fetching?: boolean } = {}) {
  const done: unknown[][] = [];
  const note =
    (name: string, result?: unknown) =>
    (...given: unknown[]) => {
      done.push([name, ...given]);
      return result;
    };
  const clipboard = { writeText: async (text: string) => note('copy')(text) };
  let click: Click | undefined;
  runInNewContext(pageScript, {
    navigator: { clipboard, sendBeacon: note('beacon', true), ...navigator },
    document: { addEventListener: (_name: string, listener: Click) => (click = listener) },
    location: { search: '?t=1.a.b&t=2', assign: note('go') },
    screen: { width: 393, height: 852 },
    devicePixelRatio: 3,
    URLSearchParams,
    setTimeout: () => {},
    fetch: (...given: unknown[]) =>
      fetching ? note('fetch', Promise.resolve())(...given) : Promise.reject(new Error()),
  });
  const tap = async (dataset: object, more: object = {}) => {
    const link = { dataset, href: STORE };
    const prevented: true[] = [];
    const target = { closest: (selector: string) => (selector === 'a' ? link : null) };
    click?.({ target, button: 0, preventDefault: () => prevented.push(true), ...more });
    await new Promise(setImmediate);
    return prevented.length > 0;
  };
  return { done, tap };
}

const BODY = JSON.stringify({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  screen: { width: 393, height: 852, scale: 3 },
});
const ADDRESS = '/_open/device?t=1.a.b';

describe('the script of the page that leads into an app', () => {
  it('reports nothing before a tap, then zone and screen with its token, then copies and opens the link', async () => {
    const { done, tap } = loadPage();
    expect(done).to.deep.equal([]);
    expect(await tap({ store: '', copy: 'https://go.example.com/x' })).to.equal(true);
    expect(done).to.deep.equal([
      ['beacon', ADDRESS, BODY],
      ['copy', 'https://go.example.com/x'],
      ['go', STORE],
    ]);
  });

  it('leaves opening the link to the browser if nothing is copied', async () => {
    const { done, tap } = loadPage();
    expect(await tap({ store: '' })).to.equal(false);
    expect(done).to.deep.equal([['beacon', ADDRESS, BODY]]);
  });

  it('reports nothing for a link that does not lead to a store', async () => {
    const { done, tap } = loadPage();
    expect(await tap({})).to.equal(false);
    expect(done).to.deep.equal([]);
  });

  it('reports nothing with Global Privacy Control or Do Not Track', async () => {
    for (const navigator of [{ globalPrivacyControl: true }, { doNotTrack: '1' }]) {
      const { done, tap } = loadPage({ navigator });
      await tap({ store: '', copy: 'x' });
      expect(done).to.deep.equal([
        ['copy', 'x'],
        ['go', STORE],
      ]);
    }
    const { done, tap } = loadPage({ navigator: { globalPrivacyControl: false, doNotTrack: 'unspecified' } });
    await tap({ store: '' });
    expect(done).to.have.length(1);
  });

  it('falls back to fetch if beacons are missing or refused', async () => {
    for (const sendBeacon of [undefined, () => false]) {
      const { done, tap } = loadPage({ navigator: { sendBeacon } });
      await tap({ store: '' });
      expect(done).to.deep.equal([['fetch', ADDRESS, { method: 'POST', body: BODY, keepalive: true }]]);
    }
  });

  it('opens the link even if the report fails', async () => {
    const refuse = () => {
      throw new TypeError();
    };
    for (const sendBeacon of [refuse, undefined]) {
      const { done, tap } = loadPage({ navigator: { sendBeacon }, fetching: false });
      await tap({ store: '', copy: 'x' });
      expect(done).to.deep.equal([
        ['copy', 'x'],
        ['go', STORE],
      ]);
    }
  });
});
