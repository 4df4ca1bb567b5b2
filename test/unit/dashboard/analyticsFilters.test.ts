// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { keyOf, writtenValue, writtenValues } from '../../../dashboard/src/analytics/values.ts';
import { readValues } from '../../../src/analytics/decideValues.ts';

describe('filters in addresses of the dashboard', () => {
  const key = fc
    .array(fc.constantFrom('a', ',', '-', '\\', ' ', 'null', '\u00a0', 'é'), { minLength: 1 })
    .map((parts) => parts.join(''));
  const keys = fc.uniqueArray(fc.option(key), { minLength: 1, maxLength: 5 });

  it('mean the rows that were clicked, to the server as to the page', () => {
    fc.assert(
      fc.property(keys, fc.boolean(), (clicked, isExcluding) => {
        const text = `${isExcluding ? '-' : ''}${clicked.map(writtenValue).join(',')}`;
        expect(readValues(text)).to.deep.equal({ values: clicked, isExcluding });
        const read = writtenValues(text);
        expect({ ...read, values: read.values.map(keyOf) }).to.deep.equal({ values: clicked, isExcluding });
      }),
    );
  });
});
