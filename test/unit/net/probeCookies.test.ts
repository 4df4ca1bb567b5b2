// stores: none
import { expect } from 'chai';
import { ProbeCookies } from '../../../src/net/ProbeCookies.ts';

describe('the cookies of a probe', () => {
  const table: [set: string, by: string, at: string, sent: string][] = [
    ['a=1', 'https://www.example.com/x/y', 'https://www.example.com/x/z', 'a=1'],
    ['a=1', 'https://www.example.com/x/y', 'https://www.example.com/z', ''],
    ['a=1; Path=/', 'https://www.example.com/x/y', 'https://www.example.com/z', 'a=1'],
    ['a=1; Path=/', 'https://www.example.com/', 'https://example.com/', ''],
    ['a=1; Path=/; Domain=example.com', 'https://www.example.com/', 'https://shop.example.com/', 'a=1'],
    ['a=1; Path=/; Domain=.example.com', 'https://www.example.com/', 'https://evilexample.com/', ''],
    ['a=1; Path=/; Domain=other.example', 'https://www.example.com/', 'https://other.example/', ''],
    ['a=1; Path=/; Domain=com', 'https://www.example.com/', 'https://other.com/', ''],
    ['a=1; Path=/; Secure', 'https://www.example.com/', 'http://www.example.com/', ''],
    ['a=1; Max-Age=0', 'https://www.example.com/', 'https://www.example.com/', ''],
    ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'https://www.example.com/', 'https://www.example.com/', ''],
    ['no pair', 'https://www.example.com/', 'https://www.example.com/', ''],
    ['a=b c\r\nX: y', 'https://www.example.com/', 'https://www.example.com/', ''],
  ];
  for (const [set, by, at, sent] of table)
    it(`${JSON.stringify(set)} of ${by} is ${sent === '' ? 'not ' : ''}sent to ${at}`, () => {
      const cookies = new ProbeCookies();
      cookies.accept([set], by);
      expect(cookies.headerFor(at)).to.equal(sent);
    });

  it('are replaced by name, and bounded', () => {
    const cookies = new ProbeCookies();
    cookies.accept(['a=1', 'a=2'], 'https://www.example.com/');
    expect(cookies.headerFor('https://www.example.com/')).to.equal('a=2');
    cookies.accept(
      Array.from({ length: 99 }, (_, at) => `b${at}=1`),
      'https://www.example.com/',
    );
    expect(cookies.headerFor('https://www.example.com/').split('; ')).to.have.length(30);
  });
});
