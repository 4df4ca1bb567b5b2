// stores: any
import { expect } from 'chai';
import { deviceFacts } from '../../../../sdk/app/deviceFacts.ts';
import { init, SvcError, type SvcOptions } from '../../../../sdk/app/index.ts';
import { newUuid } from '../../../../sdk/app/newUuid.ts';
import { KEY, UUID } from './useApp.ts';

/** Runs with other globals, which are put back. */
function withGlobals<Result>(globals: Record<string, unknown>, run: () => Result): Result {
  const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    return run();
  } finally {
    for (const [name, own] of before) {
      if (own) Object.defineProperty(globalThis, name, own);
      else delete (globalThis as Record<string, unknown>)[name];
    }
  }
}

const OPTIONS: SvcOptions = { url: 'https://svc.example.com', key: KEY };
const INTL = new Intl.DateTimeFormat().resolvedOptions();
const NOTHING = { navigator: undefined, document: undefined, screen: undefined, Capacitor: undefined };

describe('what is known of a device', () => {
  it('is that of Intl where the host says nothing', () => {
    expect(withGlobals(NOTHING, () => deviceFacts(OPTIONS))).to.deep.include({
      platform: 'web',
      language: INTL.locale,
      timezone: INTL.timeZone,
      screen: undefined,
    });
  });

  it('is what a browser shows', () => {
    const page = { navigator: { language: 'de-AT' }, document: {}, screen: { width: 1440, height: 900 } };
    expect(withGlobals({ ...page, devicePixelRatio: 2 }, () => deviceFacts(OPTIONS))).to.deep.include({
      platform: 'web',
      language: 'de-AT',
      screen: { width: 1440, height: 900, scale: 2 },
    });
  });

  it('is the platform of Capacitor, in its apps', () => {
    for (const platform of ['ios', 'android', 'web']) {
      const globals = { ...NOTHING, Capacitor: { getPlatform: () => platform } };
      expect(withGlobals(globals, () => deviceFacts(OPTIONS)).platform).to.equal(platform);
    }
  });

  it('is what the app says before anything else', () => {
    const said = {
      platform: 'android',
      language: 'fr',
      timezone: 'Asia/Tokyo',
      screen: { width: 1, height: 2 },
    } as const;
    expect(deviceFacts({ ...OPTIONS, ...said })).to.deep.include(said);
  });

  it('may be nothing at all', () => {
    const globals = { ...NOTHING, Intl: undefined };
    expect(withGlobals(globals, () => deviceFacts(OPTIONS))).to.deep.include({ platform: 'web', language: undefined });
  });
});

const ofNode = crypto;

describe('the id of an install', () => {
  const CRYPTO = {
    randomUUID: ofNode,
    getRandomValues: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => ofNode.getRandomValues(bytes) },
    'Math.random': undefined,
  };
  for (const [source, given] of Object.entries(CRYPTO)) {
    it(`is a UUID v4, another one each time, by ${source}`, () => {
      const made = withGlobals({ crypto: given }, () => Array.from({ length: 500 }, newUuid));
      for (const id of made) expect(id).to.match(UUID);
      // No part of one follows from another part.
      for (const [from, to] of [
        [0, 8],
        [9, 13],
        [24, 36],
      ] as const) {
        expect(new Set(made.map((id) => id.slice(from, to))).size).to.be.above(480);
      }
      expect(made.filter((id) => id.slice(0, 4) === id.slice(19, 23)).length).to.be.below(5);
    });
  }
});

describe('options that cannot work', () => {
  const refused = (options: Partial<SvcOptions>) => {
    try {
      init({ ...OPTIONS, ...options }).close();
    } catch (error) {
      expect(error).to.be.instanceOf(SvcError).and.to.include({ code: 'invalid_options', status: 0 });
      return (error as SvcError).message;
    }
    return undefined;
  };

  it('are refused at once, and say what to do', () => {
    expect(refused({})).to.equal(undefined);
    expect(refused({ key: 'sk_live_abc' })).to.contain('must never ship in an app');
    expect(refused({ key: undefined as unknown as string })).to.contain('pk_live_');
    expect(refused({ url: 'svc.example.com' })).to.contain('https://');
    withGlobals({ ...NOTHING, navigator: { product: 'ReactNative' } }, () => {
      expect(refused({})).to.contain('Platform.OS');
      expect(refused({ platform: 'ios' })).to.equal(undefined);
    });
  });
});
