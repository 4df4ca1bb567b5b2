// stores: none
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { inRoot } from '../../support/root.ts';

type ChangedFunctions = (text: string, other: string) => Set<number> | null;

const TEXT = `import { one } from './one.ts';

const LIMIT = 5;

export class Counter {
  #count = 0;

  /** Adds up. */
  add(by: number): number {
    const steps = [1, 2].map((step) => {
      return step * by;
    });
    return this.#count + steps.length;
  }

  read(): number {
    return this.#count;
  }
}

interface Shape { width: number }
`;

describe('the changed functions of a file', () => {
  let changedFunctions: ChangedFunctions;

  before(async () => {
    ({ changedFunctions } = await import(pathToFileURL(inRoot('scripts/changedFunctions.mjs')).href));
  });

  const changedBy = (from: string, to: string) => {
    expect(TEXT).to.include(from);
    const lines = changedFunctions(TEXT, TEXT.replace(from, to));
    return lines && [...lines];
  };

  it('are none where comments, imports, types or places differ', () => {
    expect(changedBy('/** Adds up. */', '// Adds\n\n')).to.deep.equal([]);
    expect(
      changedBy("import { one } from './one.ts';", "import { one } from './two.ts';\nimport './three.ts';"),
    ).to.deep.equal([]);
    expect(changedBy('width: number', 'width: number; height: number')).to.deep.equal([]);
    expect(changedBy('    return this.#count;\n', '\n    return   this.#count;\n')).to.deep.equal([]);
  });

  it('are those that differ, by their own lines', () => {
    expect(changedBy('return this.#count;', 'return this.#count + 1;')).to.deep.equal([16, 17, 18]);
    expect(changedBy('this.#count + steps.length', 'steps.length')).to.deep.equal([9, 10, 12, 13, 14]);
    expect(changedBy('step * by', 'step + by')).to.deep.equal([10, 11, 12]);
  });

  it('are those that are gone, and not those that are new: who calls them differs, too', () => {
    const read = '  read(): number {\n    return this.#count;\n  }\n';
    expect(changedBy(read, '')).to.deep.equal([16, 17, 18]);
    expect(changedBy(read, `${read}\n  more() {}\n`)).to.deep.equal([]);
    expect(changedBy('    return this.#count;\n', '    return next(() => this.#count);\n')).to.deep.equal([16, 17, 18]);
    expect(changedBy('by: number', 'by: number, more = () => 0')).to.deep.equal([9, 10, 12, 13, 14]);
  });

  it('are not known where something outside of them differs', () => {
    expect(changedBy('LIMIT = 5', 'LIMIT = 6')).to.equal(null);
    expect(changedBy('#count = 0', '#count = 1')).to.equal(null);
    expect(changedBy('  read()', '  override next() {}\n\n  read()')).to.equal(null);
    expect(changedBy('  read()', '  @Field()\n  next() {}\n\n  read()')).to.equal(null);
  });
});
