// stores: none
import { expect } from 'chai';
import { decodeClick, encodeClick } from '../../../src/clicks/click.ts';
import { makeClick } from '../../support/clicks.ts';

describe('a line of the click journal', () => {
  const click = makeClick({
    projectId: 'prj_1',
    referrerHost: 'münchen.example\n"quoted"',
    utm: { source: 'a\nb', medium: null },
    rule: null,
  });

  it('gives back the click that it was written from', () => {
    expect(decodeClick(encodeClick(click))).to.deep.equal(click);
  });

  it('is one line', () => {
    expect(encodeClick(click)).to.not.match(/[\r\n]/);
  });

  it('is read as the versions before wrote it', () => {
    const [, ...values] = JSON.parse(encodeClick(click));
    const noDevice = { osVersion: null, deviceModel: null };
    const first = JSON.stringify([1, ...values.slice(0, -4)]);
    expect(decodeClick(first)).to.deep.equal({ ...click, teamId: '', tagIds: [], ...noDevice });
    const second = JSON.stringify([2, ...values.slice(0, -2)]);
    expect(decodeClick(second)).to.deep.equal({ ...click, ...noDevice });
  });

  it('is null when it is damaged', () => {
    const line = encodeClick(click);
    const values = JSON.parse(line);
    const damaged = [
      '',
      'null',
      '{}',
      '[]',
      line.slice(0, -1),
      line.slice(0, 40),
      JSON.stringify([2, ...values.slice(1)]),
      JSON.stringify([4, ...values.slice(1)]),
      JSON.stringify(['toString', ...values.slice(1)]),
      JSON.stringify(values.slice(0, -1)),
      JSON.stringify([...values, null]),
      JSON.stringify(values.with(1, null)),
      JSON.stringify(values.with(6, '2026')),
      JSON.stringify(values.with(6, 1.5)),
    ];
    for (const text of damaged) expect(decodeClick(text), text).to.equal(null);
  });
});
