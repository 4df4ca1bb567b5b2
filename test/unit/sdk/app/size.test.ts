// stores: any
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundle } from './bundle.ts';

const MAX_BYTES = 6 * 1024;

describe('the app SDK in an app', () => {
  it('is less than 6 KB compressed', async () => {
    const { code } = await bundle('esm');
    expect(gzipSync(code).length).to.be.within(1000, MAX_BYTES - 1);
  });

  it('is made of nothing but itself', async () => {
    const { code, inputs } = await bundle('esm');
    expect(inputs.filter((file) => !/^sdk\/app\/\w+\.ts$/.test(file))).to.deep.equal([]);
    expect(code).not.to.match(/\b(require|import)\b/);
  });
});
