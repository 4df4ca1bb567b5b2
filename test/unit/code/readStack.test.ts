// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readStack } from '../../../sdk/code/readStack.ts';
import { readYaml } from '../../../sdk/code/readYaml.ts';
import { CODE_SCHEMA } from '../../../sdk/code/schema.ts';
import { stackOf } from '../../support/code/stacks.ts';

const HEAD = 'version: 1\nstack: marketing\n';

/** What is told of these files, as compilers write it. */
function problemsOf(...texts: string[]): string[] {
  const read = readStack(
    texts.map((text, at) => ({ name: `${at + 1}.yaml`, text })),
    CODE_SCHEMA,
  );
  if ('stack' in read) return [];
  return read.problems.map(({ file, line, column, path, message }) => `${file}:${line}:${column} ${path}: ${message}`);
}

/** A file, and what is wrong with it. */
const MISTAKES: [what: string, texts: string[], problems: string[]][] = [
  [
    'an unknown field',
    [`${HEAD}links:\n  a:\n    destinatoin: https://example.com\n`],
    [
      '1.yaml:4:3 links.a.destination: Is required.',
      '1.yaml:5:5 links.a.destinatoin: Is not a known field. Did you mean destination?',
    ],
  ],
  [
    'all mistakes at once',
    [`${HEAD}links:\n  a: { destination: nowhere, click_limit: 0 }\n  B: https://example.com\n`],
    [
      '1.yaml:4:8 links.a.destination: Must be an absolute URL, such as https://example.com/page.',
      '1.yaml:4:30 links.a.click_limit: Must be at least 1.',
      '1.yaml:5:3 links.B: A name has at most 100 small letters, digits and . _ / - and begins with a letter or a digit.',
    ],
  ],
  [
    'a number where a text belongs',
    [`${HEAD}links:\n  a: { destination: https://example.com, title: 2026 }\n`],
    ['1.yaml:4:42 links.a.title: Must be a text or null; put quotes around 2026.'],
  ],
  [
    'a password in the file',
    [`${HEAD}links:\n  a: { destination: https://example.com, password: hunter22 }\n`],
    ['1.yaml:4:42 links.a.password: A password must not stand in the file: write { env: NAME } or { file: path }.'],
  ],
  [
    'a name twice in a file',
    [`${HEAD}links:\n  a: https://example.com/1\n  a: https://example.com/2\n`],
    ['1.yaml:5:3 : "a" is there twice: it stands on line 4 already.'],
  ],
  [
    'a name twice in two files',
    [`${HEAD}links:\n  a: https://example.com/1\n`, `${HEAD}\nlinks:\n  a: https://example.com/2\n`],
    ['2.yaml:5:3 links.a: "a" is there twice: it stands in 1.yaml on line 4 already.'],
  ],
  [
    'two stacks',
    [`${HEAD}`, 'version: 1\nstack: other\n'],
    ['2.yaml:2:1 stack: Is another stack than "marketing" of 1.yaml: files that are read together are one stack.'],
  ],
  [
    'the same address twice',
    [`${HEAD}links:\n  a: https://example.com\n  b: { slug: a, destination: https://example.com }\n`],
    ['1.yaml:5:8 links.b.slug: Has the address of "a" (1.yaml, line 4): /a.'],
  ],
  [
    'a move that leads nowhere',
    [`${HEAD}links:\n  a: https://example.com\nmoved:\n  - { from: a, to: b }\n`],
    [
      '1.yaml:6:1 moved: "a" is still in the file: a link that became another one is there no longer.',
      '1.yaml:6:1 moved: There is no link "b" in the file.',
    ],
  ],
  [
    'a webhook of a link that is not there',
    [`${HEAD}webhooks:\n  a: { url: https://example.com, scope: { link: b } }\n`],
    ['1.yaml:4:1 webhooks.a.scope.link: There is no link "b" in the file.'],
  ],
  [
    'a merge key',
    [`${HEAD}defaults:\n  links: &l { tags: [a] }\nlinks:\n  a:\n    <<: *l\n    destination: https://example.com\n`],
    ['1.yaml:7:5 : Merge keys (<<) are not supported: write the fields out, or use defaults.'],
  ],
  [
    'a tag of YAML',
    [`${HEAD}links:\n  a: !!str https://example.com\n`],
    ['1.yaml:4:12 : Tags such as tag:yaml.org,2002:str are not supported.'],
  ],
  [
    'an alias within an anchor',
    [`${HEAD}x: &a [1]\ny: &b [*a]\n`],
    ['1.yaml:4:8 : A value with an anchor must not contain an alias.'],
  ],
  [
    'too many aliases',
    [`${HEAD}x: &a 1\ny: [${Array(101).fill('*a').join(', ')}]\n`],
    ['1.yaml:4:405 : At most 100 aliases are allowed.'],
  ],
  ['two documents', [`${HEAD}---\na: 1\n`], ['1.yaml:4:1 : One file holds one document; remove the line "---".']],
  [
    'a directive',
    [`%YAML 1.1\n---\n${HEAD}`],
    ['1.yaml:1:1 : Directives (%YAML, %TAG) are not supported: files are YAML 1.2.'],
  ],
  ['an empty file', [''], ['1.yaml:1:1 : Must be a group of fields.']],
  [
    'a time that does not exist',
    [`${HEAD}links:\n  a: { destination: https://example.com, expires_at: 2026-02-30T00:00:00Z }\n`],
    ['1.yaml:4:42 links.a.expires_at: Must be an ISO 8601 time with a zone, such as 2026-12-01T00:00:00.000Z.'],
  ],
];

describe('links as code: files', () => {
  for (const [what, texts, problems] of MISTAKES) {
    it(`tells of ${what} where it stands`, () => {
      expect(problemsOf(...texts)).to.deep.equal(problems);
    });
  }

  it('says where values are nested too deeply', () => {
    const problems = problemsOf(`${HEAD}x: ${'['.repeat(100_000)}${']'.repeat(100_000)}\n`);
    expect(problems.join()).to.match(/^1\.yaml:3:\d+ : Nested too deeply\.$/);
  });

  it('reads JSON, and tells where it is wrong', () => {
    const json = JSON.stringify({ version: 1, stack: 'marketing', links: { a: 'https://example.com', b: 1 } }, null, 1);
    expect(problemsOf(json)).to.deep.equal([
      '1.yaml:6:3 links.b: Must be a text or a group of fields; put quotes around 1.',
    ]);
    expect(problemsOf('{"version": 1, "stack": "a", "stack": "b"}')).to.deep.equal([
      '1.yaml:1:30 : "stack" is there twice: it stands on line 1 already.',
    ]);
    expect(problemsOf('{"version": 1')[0]).to.match(/^1\.yaml:1:/);
  });

  it('merges defaults: groups by their fields, all else as a whole', () => {
    const { wanted } = stackOf(`${HEAD}
defaults: { links: { tags: [a], utm: { source: s, medium: m } } }
links:
  one: { destination: https://example.com, utm: { medium: x } }
  two: { destination: https://example.com, tags: [], utm: null }
  three: https://example.com
`);
    expect(Object.fromEntries(wanted.map(({ name, fields }) => [name, [fields.tags, fields.utm]]))).to.deep.equal({
      one: [['a'], { source: 's', medium: 'x' }],
      two: [[], null],
      three: [['a'], { source: 's', medium: 'm' }],
    });
  });

  it('reads a stack the same from one file, several, and in any order of keys', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{1,8}$/);
    const entry = fc.record({
      destination: fc.constantFrom('https://example.com/1', 'https://example.com/2'),
      title: fc.string({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.dictionary(name, entry, { minKeys: 2, maxKeys: 8 }), (links) => {
        const file = (part: object) => stringify({ version: 1, stack: 's', links: part });
        const entries = Object.entries(links);
        const bare = (texts: string[]) => stackOf(...texts).wanted.map(({ file: _, line: __, ...rest }) => rest);
        const whole = bare([file(links)]);
        expect(bare([file(Object.fromEntries(entries.toReversed()))])).to.deep.equal(whole);
        const half = Math.ceil(entries.length / 2);
        expect(
          bare([file(Object.fromEntries(entries.slice(half))), file(Object.fromEntries(entries.slice(0, half)))]),
        ).to.deep.equal(whole);
        expect(bare([JSON.stringify({ links, stack: 's', version: 1 })])).to.deep.equal(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('reads large files in blocks, with the same result and the same lines', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        'a\n  b\nc',
        'x: y',
        '# no comment',
        '- a',
        '---',
        '%a',
        "it's",
        '{',
        '"',
        '\n\nend\n',
        '  deep\n deeper',
      ),
    );
    const entry = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.oneof(text, fc.array(text, { maxLength: 3 })));
    const file = fc.record({
      links: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(text, entry), { maxKeys: 12 }),
      tags: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), entry, { maxKeys: 5 }),
      moved: fc.array(text, { maxLength: 4 }),
    });
    const style = fc.record({
      defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'),
      indent: fc.constantFrom(1, 2, 4),
      indentSeq: fc.boolean(),
      lineWidth: fc.constantFrom(0, 20, 80),
      collectionStyle: fc.constantFrom('any', 'block', 'flow'),
    });
    fc.assert(
      fc.property(file, style, fc.integer({ min: 1, max: 80 }), (value, how, maxBlock) => {
        const written = stringify(value, how as never);
        const whole = readYaml(written);
        const inBlocks = readYaml(written, maxBlock);
        expect(inBlocks.problems).to.deep.equal(whole.problems);
        expect(inBlocks.value).to.deep.equal(whole.value);
        expect([...inBlocks.entryLines]).to.deep.equal([...whole.entryLines]);
        for (const name of Object.keys(value.links))
          expect(inBlocks.locate(['links', name])).to.deep.equal(whole.locate(['links', name]));
      }),
      { numRuns: 500 },
    );
  });
});
