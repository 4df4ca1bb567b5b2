const NOTHING: Buffer = Buffer.alloc(0);
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** Up to the last digit of the status. */
const STATUS_LINE_LENGTH = 'HTTP/1.1 100'.length;

/** 101 is no interim answer: it ends HTTP on the connection, which nobody asked for. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d$/;

/** What an interim answer begins with, as far as that many bytes show. */
const COULD_BE_INTERIM = ['HTTP/1.1 1', 'HTTP/1.0 1'];

/**
 * Takes the interim answers (`100 Continue` and other 1xx) out of what a receiver sends: a client has to pass over those
 * that it did not ask for (RFC 9110, 15.2), while undici takes an unasked 100 for an error. Only the head of an answer
 * is looked at. How much a receiver may send is not bounded here.
 */
export class InterimAnswers {
  /** The final answer has begun: everything passes. */
  #isOver = false;
  #isInHead = false;
  /** Bytes that may belong to an interim answer, until there are enough to tell. */
  #held = NOTHING;

  /** Another answer begins with the next byte. */
  restart(): void {
    this.#isOver = false;
    this.#isInHead = false;
    this.#held = NOTHING;
  }

  /** What is left of these bytes, together with what was held back. */
  take(chunk: Buffer): Buffer {
    if (this.#isOver) return chunk;
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = NOTHING;
    for (;;) {
      if (this.#isInHead) {
        const end = rest.indexOf(END_OF_HEAD);
        // The end itself may be split.
        if (end < 0) return this.#hold(rest.subarray(-(END_OF_HEAD.length - 1)));
        rest = rest.subarray(end + END_OF_HEAD.length);
        this.#isInHead = false;
      }
      const begin = rest.toString('latin1', 0, STATUS_LINE_LENGTH);
      if (begin.length < STATUS_LINE_LENGTH && COULD_BE_INTERIM.some((known) => isPrefix(begin, known))) {
        return this.#hold(rest);
      }
      if (!INTERIM.test(begin)) {
        this.#isOver = true;
        return rest;
      }
      this.#isInHead = true;
    }
  }

  #hold(bytes: Buffer): Buffer {
    this.#held = bytes;
    return NOTHING;
  }
}

function isPrefix(one: string, other: string): boolean {
  return one.length <= other.length ? other.startsWith(one) : one.startsWith(other);
}
