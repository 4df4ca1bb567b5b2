// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { InterimAnswers } from '../../../src/webhooks/answer.ts';

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** What passes of a text that comes in pieces of these lengths, over and over. */
function passed(text: string, lengths: number[] = [text.length]): string {
  const interim = new InterimAnswers();
  let out = '';
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const length = lengths[turn % lengths.length] as number;
    out += interim.take(Buffer.from(text.slice(at, at + length), 'latin1')).toString('latin1');
    at += length;
  }
  return out;
}

describe('interim answers', () => {
  it('are taken out, however many there are and however they are split', () => {
    const interims = ['100 Continue', '102 Processing', '103 Early Hints', '199 \xe9'].map(
      (status) => `HTTP/1.1 ${status}\r\nLink: </a>\r\n\r\n`,
    );
    const some = fc.array(fc.constantFrom(...interims), { maxLength: 5 });
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(fc.property(some, lengths, (heads, split) => passed(heads.join('') + FINAL, split) === FINAL));
  });

  for (const text of [
    FINAL,
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n',
    'HTTP/1.1 1000 Long\r\n\r\n'.replace('1000', '10x0'),
    'HTTP/2.0 100 Continue\r\n\r\n',
    'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'H',
    'HTTP/1.1 2',
    `${FINAL}HTTP/1.1 100 Continue\r\n\r\n`,
  ]) {
    it(`are not seen in ${JSON.stringify(text)}`, () => {
      // What could still become one is held back.
      const isTooShort = text === 'H';
      for (const length of [1, 7, text.length]) expect(passed(text, [length])).to.equal(isTooShort ? '' : text);
    });
  }

  it('are looked for anew with each answer', () => {
    const interim = new InterimAnswers();
    const both = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${FINAL}`);
    for (let answers = 0; answers < 2; answers += 1) {
      expect(interim.take(both).toString()).to.equal(FINAL);
      interim.restart();
    }
  });
});
