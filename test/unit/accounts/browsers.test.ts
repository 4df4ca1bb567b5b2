// stores: none
import { expect } from 'chai';
import { describeAgent } from '../../../src/accounts/browsers.ts';

describe('describeAgent', () => {
  const CASES: [header: string | undefined, words: string | null][] = [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
      'Mobile Safari on iOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64) something', 'Linux'],
    ['curl/8.5.0', null],
    ['', null],
    [undefined, null],
  ];
  for (const [header, words] of CASES) {
    it(`${words ?? 'nothing'} for ${header?.slice(0, 40)}`, () => {
      expect(describeAgent(header)).to.equal(words);
    });
  }

  it('gives short words for long headers', () => {
    expect(describeAgent(`Mozilla/5.0 (${'x'.repeat(100_000)}) Firefox/${'9'.repeat(1000)}`)?.length ?? 0).to.be.below(
      64,
    );
  });
});
