// stores: none
import { expect } from 'chai';
import { type Finding, summarize } from '../../../src/health/findings.ts';

const of = (status: Finding['status'], name: string): Finding => ({ status, message: `${name}.` });

describe('what a check says of several subjects', () => {
  const table: [what: string, findings: (Finding | null)[], says: [string, string] | null][] = [
    ['all is well', [of('pass', 'A'), of('pass', 'B')], ['pass', 'Good.']],
    ['one that is left out does not matter', [of('pass', 'A'), of('skip', 'B')], ['pass', 'Good.']],
    ['all are left out', [of('skip', 'A'), of('skip', 'B')], ['skip', 'A. B.']],
    ['the worst is named alone', [of('warn', 'A'), of('fail', 'B'), of('pass', 'C')], ['fail', 'B.']],
    ['warnings', [of('warn', 'A'), of('pass', 'C')], ['warn', 'A.']],
    [
      'three are named, the others counted',
      'ABCDE'.split('').map((name) => of('fail', name)),
      ['fail', 'A. B. C. And 2 more.'],
    ],
    ['nothing when one could not be looked at', [of('pass', 'A'), null, of('warn', 'C')], null],
    ['a failure all the same', [null, of('fail', 'B')], ['fail', 'B.']],
  ];
  for (const [what, findings, says] of table) {
    it(what, () => {
      const result = summarize(findings, 'Good.');
      expect(result && [result.status, result.message]).to.deep.equal(says);
    });
  }
});
