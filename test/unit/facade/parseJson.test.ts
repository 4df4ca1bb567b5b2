// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { parseJson } from '../../../facade/parseJson.ts';
import { CodedError } from '../../../src/kernel/errors.ts';

function refusalOf(body: string | Buffer): string {
  try {
    parseJson(Buffer.from(body));
  } catch (error) {
    expect((error as CodedError).code).to.equal('invalid_json');
    return (error as CodedError).message;
  }
  throw new Error(`was taken: ${body}`);
}

describe('a body that is no JSON', () => {
  const cases: [string, string | Buffer, string][] = [
    ['nothing', '', 'The body is empty. Send a JSON object, such as {}.'],
    ['white space', ' \n', 'The body is empty. Send a JSON object, such as {}.'],
    ['other bytes than UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'The body is not UTF-8.'],
    ['a list', '[1]', 'The body must be a JSON object; this is a list.'],
    ['null', 'null', 'The body must be a JSON object; this is null.'],
    ['a text', '"a"', 'The body must be a JSON object; this is a string.'],
    ['the beginning of one', '{"a": ', 'it ends too early, in line 1, column 7.'],
    ['the beginning of a text', '{"a": "b', 'it ends too early, in line 1, column 9.'],
    ['the beginning of a word', '{"a": tr', 'it ends too early, in line 1, column 9.'],
    ['a comma too many', '{\n  "a": 1,\n}', 'unexpected "}" in line 3, column 1. Remove the comma before it.'],
    ['other quotes', "{'a': 1}", 'unexpected "\'" in line 1, column 2. Use double quotes for strings and names.'],
    ['no quotes', '{"b": 1, a: 1}', 'unexpected "a" in line 1, column 10. Put names in double quotes.'],
    ['a word cut short', '{"a": tru}', 'unexpected "}" in line 1, column 10.'],
    ['words', 'abc', 'unexpected "a" in line 1, column 1.'],
    ['a form', 'url=https%3A', 'unexpected "u" in line 1, column 1.'],
    ['a line break in a text', '{"a": "x\ny"}', 'unexpected "\\n" in line 1, column 9.'],
    ['more behind it', '{"a": 1}}', 'unexpected "}" in line 1, column 9.'],
    ['CRLF', '{\r\n"a": 1;\r\n}', 'unexpected ";" in line 2, column 7.'],
    ['a sign of two halves', '{"ä": 🦄}', 'unexpected "🦄" in line 1, column 7.'],
    ['a number with a zero in front', '{"a": 01}', 'in line 1, column 8.'],
    ['a bad escape', '{"a": "\\x"}', 'in line 1, column 9.'],
  ];
  for (const [what, body, expected] of cases) {
    it(`says where: ${what}`, () => {
      expect(refusalOf(body)).to.include(expected);
    });
  }

  it('never repeats what was sent but for one character', () => {
    const message = refusalOf('{"password": "secret-word" "x"}');
    expect(message).to.not.include('secret');
    expect(message).to.equal('The body is not JSON: unexpected "\\"" in line 1, column 28.');
  });

  it('is not searched through when it is large', () => {
    expect(refusalOf(`{"a": "${'x'.repeat(300_000)}",}`)).to.equal('The body is not JSON.');
  });

  it('finds the character at which a text stops being JSON', () => {
    // Nothing that is put in front of it can go on with a "~" outside of texts.
    const body = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(body, (value) => {
        const text = JSON.stringify(value, null, 2);
        const line = text.split('\n').length;
        return refusalOf(`${text.slice(0, -1)}~`).includes(`unexpected "~" in line ${line}, column 1.`);
      }),
    );
  });
});
