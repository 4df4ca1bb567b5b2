// stores: none
import { expect } from 'chai';
import { plainCell, relativeTime, shownCell } from '../../../cli/output/cells.ts';
import { bars, sparkline, squeezed } from '../../../cli/output/charts.ts';
import { columnsOf } from '../../../cli/output/columns.ts';
import { blocksOf } from '../../../cli/output/qrBlocks.ts';
import { fittedTable, fitWidths, recordLines, tabbedTable } from '../../../cli/output/table.ts';
import { fit, oneLine, pad, widthOf } from '../../../cli/output/width.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const PLAIN = { head: (text: string) => text };

describe('tables', () => {
  it('measures what terminals show', () => {
    for (const [text, width] of [
      ['abc', 3],
      ['Größe', 5],
      ['春', 2],
      ['🌸', 2],
      ['👩‍💻', 2],
      ['e\u0301', 1],
      ['', 0],
    ] as const) {
      expect(widthOf(text), text).to.equal(width);
    }
    expect(fit('春春春', 5)).to.equal('春春…');
    expect(fit('abc', 3)).to.equal('abc');
    expect(pad('春', 4)).to.equal('春  ');
    expect(pad('7', 3, true)).to.equal('  7');
  });

  it('lets no stranger steer the terminal', () => {
    expect(oneLine('a\u001b[31mb\r\nc\u202ed\u009b')).to.equal('a [31mb c d');
  });

  it('never is wider than the terminal, whatever the columns', () => {
    for (const width of [20, 40, 80, 120, 200]) {
      for (const natural of [[30], [30, 40, 6], [5, 5, 5], [28, 90, 6, 6, 10, 30, 12], [400, 400]]) {
        const widths = fitWidths(natural, width, (at) => at === 5);
        const total = widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1));
        expect(total, `${natural} in ${width}`).to.be.at.most(width);
        if (widths.length > 5) expect(widths[5], 'an id is whole').to.equal(30);
      }
    }
  });

  it('leaves the first column whole while others can shrink, and ids whole or out', () => {
    const rows = [{ url: 'https://go.example.com/spring', to: 'x'.repeat(90), id: 'lnk_01m8dbjk93e8p81mma50bezed2' }];
    const [head = '', line = ''] = fittedTable(rows, ['url', 'to', 'id'], 80, PLAIN);
    expect(head).to.equal(`URL${' '.repeat(28)}TO${' '.repeat(17)}ID`);
    expect(line).to.match(/^https:\/\/go\.example\.com\/spring {2}x+… {2}lnk_01m8dbjk93e8p81mma50bezed2$/);
    expect(fittedTable(rows, ['url', 'to', 'id'], 50, PLAIN)[1]).to.not.contain('lnk_');
  });

  it('is whole for programs', () => {
    const rows = [{ a: 'x\ty', b: null, c: ['p', 'q'], d: { e: 1 }, f: false }];
    expect(tabbedTable(rows, ['a', 'b', 'c', 'd', 'f', 'd.e'], true)).to.deep.equal([
      'a\tb\tc\td\tf\td.e',
      'x y\t\tp,q\t{"e":1}\tfalse\t1',
    ]);
  });

  it('shows times as distances, and far ones as dates', () => {
    for (const [time, text] of [
      ['2026-11-27T11:59:30.000Z', '30s ago'],
      ['2026-11-27T10:59:00.000Z', '1h ago'],
      ['2026-11-29T12:00:00.000Z', 'in 2d'],
      ['2025-01-01T00:00:00.000Z', '2025-01-01'],
    ] as const) {
      expect(relativeTime(time, NOW)).to.equal(text);
      expect(shownCell(time, NOW)).to.equal(text);
      expect(plainCell(time)).to.equal(time);
    }
  });

  it('shows a record with the rows in it as a table', () => {
    const lines = recordLines(
      { status: 'ok', checks: [{ name: 'a', status: 'pass' }] },
      ['status', 'checks'],
      80,
      PLAIN,
    );
    expect(lines).to.deep.equal(['STATUS  ok', 'CHECKS', '  NAME  STATUS', '  a     pass']);
  });

  it('has columns for a resource, and first fields for one that is new', () => {
    expect(columnsOf('tags', ['id', 'name', 'color', 'created_at'])).to.deep.equal([
      'name',
      'color',
      'id',
      'created_at',
    ]);
    expect(columnsOf('new', ['id', 'project_id', 'a'])).to.deep.equal(['id', 'a']);
  });
});

describe('charts', () => {
  it('draws lines and bars in the room there is', () => {
    expect(sparkline([0, 1, 4, 8])).to.equal('▁▂▅█');
    expect(squeezed([1, 2, 3, 4, 5], 3)).to.deep.equal([3, 7, 5]);
    const lines = bars(
      [
        { label: 'DE', count: 3 },
        { label: '(unknown)', count: 1 },
      ],
      4,
      40,
    );
    for (const line of lines) expect(widthOf(line)).to.be.at.most(40);
    expect(lines[0]).to.match(/^DE {9}█+ +3 {3}75 %$/);
  });

  it('draws a QR code as half blocks', () => {
    const svg =
      '<svg viewBox="0 0 3 3"><path fill="#fff" d="M0 0h3v3H0z"/><path stroke="#000" d="M0 0.5h1m1 0h1M1 1.5h1"/></svg>';
    expect(blocksOf(svg)).to.deep.equal(['▄▀▄', '▀▀▀']);
  });
});
