// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { readCsv, writeCsv } from '../../../src/imports/csv.ts';
import { type CsvFacts, inspectCsv } from '../../../src/imports/inspectCsv.ts';

const FILE = '\uFEFF"destination",title\r\n"a","x\r\ny""z"\n\n,,\nb,"q,\n"\rc,ä€😀';

function piecesOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

async function* flow(pieces: Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}

describe('CSV files', () => {
  for (const size of [1, 2, 3, 7, 1000]) {
    it(`are counted and read alike in pieces of ${size} bytes`, async () => {
      const pieces = piecesOf(FILE, size);
      expect(await inspectCsv(pieces, 10)).to.deep.equal({ header: ['destination', 'title'], delimiter: ',', rows: 3 });
      const rows = [];
      for await (const row of readCsv(flow(pieces), ',')) rows.push(row);
      expect(rows).to.deep.equal([
        { line: 2, cells: ['a', 'x\r\ny"z'] },
        { line: 6, cells: ['b', 'q,\n'] },
        { line: 8, cells: ['c', 'ä€😀'] },
      ]);
    });
  }

  it('are separated by what their first line has most of', async () => {
    for (const [header, delimiter] of [
      ['a;"b,c,d,e";f', ';'],
      ['a\tb', '\t'],
      ['a', ','],
    ] as const) {
      expect(((await inspectCsv([Buffer.from(header)], 1)) as CsvFacts).delimiter).to.equal(delimiter);
    }
  });

  it('may have quotes inside of cells that are not quoted', async () => {
    const csv = 'destination,title\nx,5" pipe\ny,z\n';
    expect(await inspectCsv([Buffer.from(csv)], 10)).to.include({ rows: 2 });
    const cells = [];
    for await (const row of readCsv(flow([Buffer.from(csv)]), ',')) cells.push(row.cells);
    expect(cells).to.deep.equal([
      ['x', '5" pipe'],
      ['y', 'z'],
    ]);
  });

  it('have as many rows for the count as for csv-parse, whatever their quotes and breaks', async () => {
    const signs = fc.constantFrom('"', ',', ';', '\n', '\r', '\r\n', ' ', 'a', 'ä', '€');
    const cell = fc.array(signs, { maxLength: 6 }).map((parts) => parts.join(''));
    const body = fc.array(fc.tuple(cell, cell), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(body, fc.integer({ min: 1, max: 5 }), async (cells, size) => {
        const pieces = piecesOf(writeCsv([['a', 'b'], ...cells]), size);
        const facts = await inspectCsv(pieces, 1000);
        let rows = 0;
        for await (const _ of readCsv(flow(pieces), ',')) rows += 1;
        expect((facts as CsvFacts).rows).to.equal(rows);
      }),
      { numRuns: 200 },
    );
  });

  it('that cannot be read are told apart', async () => {
    for (const [bytes, words] of [
      [Buffer.from(''), /empty/],
      [Buffer.from([0x61, 0xff]), /UTF-8/],
      [Buffer.from([0x61, 0xc3]), /UTF-8/],
      [Buffer.from('a,b\n1,2\n"x,y\n'), /line 3 never ends/],
      [Buffer.from('a\n1\n2\n'), /2 rows, more than 1/],
    ] as const) {
      expect(await inspectCsv([bytes], 1)).to.match(words);
    }
  });
});
