// stores: none
import { expect } from 'chai';
import { formerNamesIn, loadConfig } from '../../../src/kernel/config.ts';
import { addressBlocks, integers, mailbox, smtpUrl } from '../../../src/kernel/settings/kinds.ts';

describe('a setting of addresses', () => {
  const { parse } = addressBlocks('Networks.');

  it('takes addresses and CIDR blocks', () => {
    const list = parse('10.0.0.1, 192.0.2.0/24,2001:db8::/32');
    for (const inside of ['10.0.0.1', '192.0.2.9']) expect(list.check(inside), inside).to.equal(true);
    expect(list.check('2001:db8::1', 'ipv6')).to.equal(true);
    expect(list.check('10.0.0.2')).to.equal(false);
  });

  it('takes nothing else: a length that is missing is not every address', () => {
    for (const bad of [
      '10.0.0.1/',
      '10.0.0.1/33',
      '10.0.0.1/-1',
      '10.0.0.1/1e1',
      '10.0.0.1/ 8x',
      'host',
      '2001:db8::/129',
    ]) {
      expect(() => parse(bad), bad).to.throw(RangeError);
    }
  });
});

describe('a setting of numbers', () => {
  it('may have none where that is possible, and says so', () => {
    const gaps = integers('Gaps.', [15], { orNone: true });
    expect(gaps.parse('none')).to.deep.equal([]);
    expect(gaps.parse('1, 20')).to.deep.equal([1, 20]);
    expect(() => gaps.parse('nothing')).to.throw(RangeError, 'must be whole numbers separated by commas, or none');
    const others = integers('Others.', [15]);
    expect(() => others.parse('none')).to.throw(RangeError, /commas$/);
  });
});

describe('a setting of a mail server', () => {
  const { parse } = smtpUrl('Server.');
  const GOOD = [
    'smtp://mail.example.com',
    'smtp://127.0.0.1:1025',
    'smtp://[::1]:25/',
    'smtps://ann%40example.com:p%40ss%2Fword@mail.example.com:465',
    'smtp://ann:secret@mail:587?requireTLS=false',
  ];
  const BAD = [
    'mail.example.com',
    'http://mail.example.com',
    'smtp:mail.example.com',
    'smtp://',
    'smtp:///mail',
    'smtp://mail.example.com:port',
    'smtp://mail.example.com/inbox',
    'smtp://ann:50%@mail.example.com',
    'smtp://ann:p#ss@mail.example.com',
    'smtp://mail.example.com?logger=true',
  ];

  for (const value of GOOD) it(`takes ${value}`, () => expect(parse(value)).to.equal(value));
  for (const value of BAD)
    it(`does not take ${value}`, () => expect(() => parse(value)).to.throw(RangeError, 'smtp://'));

  it('is named by what stops the start, and the password is not', () => {
    const start = () => loadConfig({ LOG_LEVEL: 'silent', SMTP_URL: 'smtp://ann:s3cret@', MAIL_FROM: 'nobody' });
    expect(start).to.throw(/SMTP_URL must look like[\s\S]*MAIL_FROM must look like/);
    expect(start).to.not.throw(/s3cret/);
    loadConfig({ LOG_LEVEL: 'silent' });
  });
});

describe('a setting of a sender', () => {
  const { parse } = mailbox('Sender.');
  const GOOD = ['no-reply@example.com', '<a@b.example>', 'Grüße & Links <links@example.com>'];
  const BAD = [
    'example.com',
    'Links',
    'a@b@c',
    'a@b.c, d@e.f',
    'Acme, Inc <a@b.c>',
    'A <a@b.c> B',
    'A\r\nBcc: x <a@b.c>',
  ];

  for (const value of GOOD) it(`takes ${value}`, () => expect(parse(value)).to.equal(value));
  for (const value of BAD)
    it(`does not take ${JSON.stringify(value)}`, () => expect(() => parse(value)).to.throw(RangeError));
});

describe('a setting with a former name', () => {
  it('is read by both, the present one first, and the former one is named for a warning', () => {
    expect(loadConfig({ ROLLUP_SECONDS: '7' }).blockBuildSeconds).to.equal(7);
    expect(loadConfig({ ROLLUP_SECONDS: '7', BLOCK_BUILD_SECONDS: '9' }).blockBuildSeconds).to.equal(9);
    expect(loadConfig({ ROLLUP_SECONDS: ' ' }).blockBuildSeconds).to.equal(10);
    expect(formerNamesIn({ ROLLUP_SECONDS: '7', PORT: '1' })).to.deep.equal([
      { former: 'ROLLUP_SECONDS', name: 'BLOCK_BUILD_SECONDS' },
    ]);
    loadConfig({ LOG_LEVEL: 'silent' });
  });
});
