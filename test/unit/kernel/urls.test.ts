// stores: none
import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  destinationProblem,
  hasRefusedScheme,
  isRefusedScheme,
  MAX_URL_BYTES,
  sentBytes,
} from '../../../src/kernel/urls.ts';
import { headerSafeFragment, headerSafeUrl } from '../../../src/routing/urlEncoding.ts';
import { inRoot, ROOT } from '../../support/root.ts';

const REFUSED = [
  ...['javascript', 'data', 'intent', 'file', 'blob', 'vbscript', 'about', 'content', 'view-source', 'filesystem'],
  ...['ms-msdt', 'ms-word', 'ms-settings', 'search-ms', 'search', 'jar', 'mhtml', 'res', 'shell', 'smb', 'nfs', 'ssh'],
  ...[
    'telnet',
    'vscode',
    'vscode-insiders',
    'jnlp',
    'feed',
    'wss',
    'ws',
    'tel',
    'sms',
    'mailto',
    'itms-services',
    'itms',
  ],
  ...['x-apple', 'x-apple-reminderkit', 'chrome-extension', 'facetime-audio', 'market', 'android-app'],
];
const ALLOWED = [
  'https',
  'http',
  'myapp',
  'msteams',
  'research',
  'tele',
  'smsapp',
  'intently',
  'filebox',
  'xapple',
  'fb123',
];

describe('schemes', () => {
  it('of browsers, systems and other programs are refused, in whatever case', () => {
    for (const scheme of REFUSED) {
      expect([isRefusedScheme(scheme), hasRefusedScheme(`${scheme.toUpperCase()}:x`)], scheme).to.deep.equal([
        true,
        true,
      ]);
      expect(destinationProblem(`${scheme}:x`), scheme).to.match(/not allowed/);
    }
  });

  it('that only begin like them are an app’s own', () => {
    for (const scheme of ALLOWED) {
      expect([isRefusedScheme(scheme), hasRefusedScheme(`${scheme}://tel:1`)], scheme).to.deep.equal([false, false]);
    }
  });
});

describe('the length of a URL', () => {
  it('counts what is sent', () => {
    for (const url of ['https://x.test/a?b=1#c', 'https://x.test/é漢😀"<>', 'https://x.test/\ud800?%C3%A9#ü{}|^`']) {
      const [head = '', ...rest] = url.split('#');
      const sent = headerSafeUrl(head) + (rest.length > 0 ? headerSafeFragment(`#${rest.join('#')}`) : '');
      expect(sentBytes(url), url).to.equal(sent.length);
    }
  });

  it('ends at the bound, however few letters that are', () => {
    const of = (letter: string, times: number) => destinationProblem(`https://x.test/${letter.repeat(times)}`);
    const room = MAX_URL_BYTES - 'https://x.test/'.length;
    expect(of('a', room)).to.equal(null);
    expect(of('a', room + 1)).to.match(/8192 bytes/);
    expect(of('漢', Math.floor(room / 9))).to.equal(null);
    expect(of('漢', Math.floor(room / 9) + 1)).to.match(/8192 bytes/);
  });
});

describe('Names with letters outside ASCII', () => {
  it('are read the same the ten thousandth time, when the code that reads them has been compiled', () => {
    const wrong = Array.from({ length: 10_000 }, () => destinationProblem('https://münchen.de/')).filter(Boolean);
    expect(wrong).to.deep.equal([]);
  });

  it('are not given to URL.canParse, which misreads them in Node 22', () => {
    const files = globSync('{app,src,schema,facade,jobs,mcp,cli,sdk}/**/*.ts', { cwd: ROOT });
    expect(files.length).to.be.above(500);
    const using = files.filter((file) => /\bcanParse\(/.test(readFileSync(inRoot(file), 'utf8')));
    expect(using).to.deep.equal([]);
  });
});
