// stores: none
import { expect } from 'chai';
import {
  destinationProblem,
  hasRefusedScheme,
  isRefusedScheme,
  MAX_URL_BYTES,
  sentBytes,
} from '../../../src/kernel/urls.ts';
import { headerSafeFragment, headerSafeUrl } from '../../../src/routing/urlEncoding.ts';

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
