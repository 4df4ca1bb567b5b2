/** A part of a YAML file that can be read alone. */
export interface Block {
  text: string;
  /** The line of the section that its entries belong to; null where the text has everything itself. */
  header: string | null;
  /** The line of the file before its first one, from 0. */
  line: number;
  /** Whether there are other blocks. */
  isPart: boolean;
}

/**
 * As many characters are read at a time: some 50 links. What the reader makes of 64 KiB outlives the young generation of the
 * garbage collector, and takes twice the time.
 */
const BLOCK_CHARACTERS = 8 * 1024;

/**
 * Cuts a file at its sections, and long sections at their entries. Lines that belong to an entry are indented deeper than
 * its name, whatever they are, so that the indentation says where entries begin. Null for short files, and for what has
 * another form, such as several documents.
 */
export function blocksOf(text: string, maxBlock = BLOCK_CHARACTERS): Block[] | null {
  if (text.length <= maxBlock) return null;
  const cutter = new Cutter(text, maxBlock);
  let line = 0;
  for (let start = 0; start < text.length; line += 1) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (!cutter.take(start, end, line)) return null;
    start = end + 1;
  }
  return cutter.finish();
}

class Cutter {
  private readonly blocks: Block[] = [];
  private readonly text: string;
  private readonly maxBlock: number;
  private start = 0;
  private line = 0;
  private header: string | null = null;
  /** The header of the section whose entries may be cut; null where they may not. */
  private section: string | null = null;
  /** The indentation of its entries; null until the first one. */
  private indent: number | null = null;

  constructor(text: string, maxBlock: number) {
    this.text = text;
    this.maxBlock = maxBlock;
  }

  /** Takes a line; false when the file cannot be cut. */
  take(start: number, end: number, line: number): boolean {
    let at = start;
    while (this.text[at] === ' ') at += 1;
    const first = at < end ? this.text[at] : '#';
    if (first === '#' || first === '\r') return true;
    const indent = at - start;
    if (first === '\t' || first === '?' || first === '%') return false;
    if (indent === 0) return this.takeTop(start, end, line);
    if (this.section === null) return true;
    this.indent ??= indent;
    if (indent < this.indent) return false;
    if (indent > this.indent) return true;
    // A list, or the end of a bracket: nothing to cut.
    if ('-}]'.includes(first as string)) this.section = null;
    else if (start - this.start > this.maxBlock) this.cut(start, line, this.section);
    return true;
  }

  finish(): Block[] {
    this.cut(this.text.length, 0, null);
    return this.blocks;
  }

  private takeTop(start: number, end: number, line: number): boolean {
    const text = this.text.slice(start, end);
    if (/^(---|\.\.\.)/.test(text)) return false;
    if ('-}]'.includes(text[0] as string)) return true;
    this.cut(start, line, null);
    this.section = /^[a-z_]+:\s*(#.*)?$/.test(text) ? text : null;
    this.indent = null;
    return true;
  }

  /** Ends a block before this line; the next one has this header. */
  private cut(start: number, line: number, header: string | null): void {
    if (start > this.start)
      this.blocks.push({
        text: this.text.slice(this.start, start),
        header: this.header,
        line: this.line,
        isPart: true,
      });
    this.start = start;
    this.line = line;
    this.header = header;
  }
}
