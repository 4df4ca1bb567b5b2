import type { Fields } from './types.ts';

/** Line and column, both from 1. */
export interface Spot {
  line: number;
  column: number;
}

export type Path = (string | number)[];

/** The value of a file. Positions are looked up when there is something to say: most files have no mistake. */
export interface ReadFile {
  name: string;
  value: unknown;
  /** The lines of the entries of sections, by `entryKey`. */
  entryLines: Map<string, number>;
  /** Where the deepest part of the path that exists begins. */
  locate(path: Path): Spot;
}

/** The form in which both readers answer. */
export interface ReadText {
  value: unknown;
  entryLines: Map<string, number>;
  problems: (Spot & { message: string })[];
  locate(path: Path): Spot;
}

/** The key of `entryLines`: of the link `spring`, section `links` and name `spring`. */
export function entryKey(section: string, name: string): string {
  return `${section} ${name}`;
}

/** Sets a field also where its name is `__proto__`. */
export function setField(target: Fields, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What two entries of the same name are refused with. */
export function twiceMessage(name: string, line: number): string {
  return `"${name}" is there twice: it stands on line ${line} already.`;
}

/** Finds line and column of offsets. */
export class Lines {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
  }

  spotOf(offset: number): Spot {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] as number) + 1 };
  }
}
