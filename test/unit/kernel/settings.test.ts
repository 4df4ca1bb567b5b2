import { expect } from 'chai';
import { addressBlocks } from '../../../src/kernel/settings.ts';

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
