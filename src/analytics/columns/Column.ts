/** Integers, one for each click of a block, each in as few bytes as the largest needs. */
export type Column = Uint8Array | Uint16Array | Uint32Array;

/** Bytes of a value, stored as the first byte. 0: all values are equal, and only one is stored. */
type Width = 0 | 1 | 2 | 4;

/** Bytes in front of the values, so that those are aligned for a typed array. */
const HEADER = 8;
const ARRAYS = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

/** The stored form of a column: the width in a byte, the number of values, the values, all little-endian. */
export function encodeColumn(values: ArrayLike<number>): Buffer {
  const width = widthOf(values);
  const stored = Buffer.alloc(HEADER + (width === 0 ? 4 : values.length * width));
  stored[0] = width;
  stored.writeUInt32LE(values.length, 4);
  if (width === 0) stored.writeUInt32LE(values[0] ?? 0, HEADER);
  else new ARRAYS[width](stored.buffer, stored.byteOffset + HEADER, values.length).set(values);
  return stored;
}

/** Reverses `encodeColumn`; `undefined` stands for a column of zeros. */
export function decodeColumn(stored: Buffer | undefined, length: number): Column {
  if (stored === undefined) return new Uint8Array(length);
  return decodeAt(stored, 0).column;
}

/** The column that begins at an offset, and the offset of the next one. */
export function decodeAt(stored: Buffer, at: number): { column: Column; end: number } {
  const width = stored[at] as Width;
  const length = stored.readUInt32LE(at + 4);
  const from = at + HEADER;
  if (width === 0) return { column: constant(stored.readUInt32LE(from), length), end: from + 4 };
  const bytes = length * width;
  // A copy, because a driver's buffer may begin at any offset.
  const copy = new Uint8Array(bytes);
  copy.set(stored.subarray(from, from + bytes));
  return { column: new ARRAYS[width](copy.buffer, 0, length), end: from + bytes };
}

function constant(value: number, length: number): Column {
  return new ARRAYS[value < 0x100 ? 1 : 4](length).fill(value);
}

function widthOf(values: ArrayLike<number>): Width {
  let largest = 0;
  let isConstant = true;
  const first = values[0];
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value > largest) largest = value;
    if (value !== first) isConstant = false;
  }
  if (isConstant) return 0;
  if (largest < 0x100) return 1;
  return largest < 0x1_0000 ? 2 : 4;
}
