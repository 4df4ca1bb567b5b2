// stores: none
import { globSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { SETTINGS } from '../../../src/kernel/settings/table.ts';

describe('Settings', () => {
  it('are each read by something', () => {
    const files = globSync('{app,src,schema,facade,jobs}/**/*.ts').filter((file) => !/kernel.settings/.test(file));
    const words = new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
    expect(Object.keys(SETTINGS).filter((name) => !words.has(name))).to.deep.equal([]);
  });
});
