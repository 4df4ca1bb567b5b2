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

  it('is read as the version before wrote it', () => {
    const [, ...values] = JSON.parse(encodeClick(click));
    const former = JSON.stringify([1, ...values.slice(0, -2)]);
    expect(decodeClick(former)).to.deep.equal({ ...click, teamId: '', tagIds: [] });
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
      JSON.stringify([3, ...values.slice(1)]),
      JSON.stringify(values.slice(0, -1)),
      JSON.stringify([...values, null]),
      JSON.stringify(values.with(1, null)),
      JSON.stringify(values.with(6, '2026')),
      JSON.stringify(values.with(6, 1.5)),
    ];
    for (const text of damaged) expect(decodeClick(text), text).to.equal(null);
  });
});
