// stores: none
import { expect } from 'chai';
import { pictureType } from '../../../src/links/decidePicture.ts';

/** The bytes of hex digits, and zeros after them. */
const bytes = (hex: string, length = 40) => {
  const given = Buffer.from(hex.replace(/\s/g, ''), 'hex');
  return Buffer.concat([given, Buffer.alloc(Math.max(0, length - given.length))]);
};
const png = (width: string, height: string) => bytes(`89504e470d0a1a0a 0000000d49484452 ${width} ${height}`);
const RIFF = '52494646 00000000 57454250';

describe('the type of a picture', () => {
  const known: [name: string, bytes: Buffer, type: string | null][] = [
    ['a PNG', png('000004b0', '00000276'), 'image/png'],
    ['a GIF', bytes('474946383961 0100 0100'), 'image/gif'],
    ['a JPEG', bytes('ffd8 ffe0 0004 0000 ff ffc2 0011 08 0276 04b0'), 'image/jpeg'],
    ['a simple WebP', bytes(`${RIFF} 56503820 00000000 000000 9d012a b004 7602`), 'image/webp'],
    ['a lossless WebP', bytes(`${RIFF} 5650384c 00000000 2f af849d00`), 'image/webp'],
    ['an extended WebP', bytes(`${RIFF} 56503858 00000000 00000000 af0400 750200`), 'image/webp'],
    ['a PNG with four billion pixels', png('00010000', '00010000'), null],
    ['a PNG without a pixel', png('00000000', '00000001'), null],
    ['a JPEG that ends before its size', bytes('ffd8 ffe0 ffff', 40), null],
    ['a JPEG whose segment has no length', bytes('ffd8 ffe0 0000 ffe0 0000', 40), null],
    ['a PNG that ends after its mark', Buffer.from('89504e470d0a1a0a', 'hex'), null],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), null],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), null],
    ['nothing', Buffer.alloc(0), null],
  ];
  for (const [name, given, type] of known) it(`of ${name} is ${type}`, () => expect(pictureType(given)).to.equal(type));
});
