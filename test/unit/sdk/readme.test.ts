// stores: any
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { inRoot } from '../../support/root.ts';

const read = (file: string) => readFileSync(inRoot('sdk/webhooks', file), 'utf8');
const readme = read('README.md');

/** The README shows an example as `<!-- examples/<file> -->`, then its whole text as a block. */
const shown = new Map(
  [...readme.matchAll(/<!-- (examples\/\S+) -->\n```ts\n(.*?)```\n/gs)].map(([, file, code]) => [file, code]),
);

describe("the webhook SDK's README", () => {
  for (const file of readdirSync(inRoot('sdk/webhooks/examples'))) {
    it(`shows examples/${file} as it is`, () =>
      expect(shown.get(`examples/${file}`)).to.equal(read(`examples/${file}`)));
  }

  it('shows no other code', () => {
    const languages = [...readme.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(languages.filter((language) => language !== 'sh')).to.deep.equal([...shown].map(() => 'ts'));
  });

  it('says of every code what to do', () => {
    const codes = [...read('WebhookVerificationError.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code);
    const rows = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
    expect(codes).to.have.length.above(5);
    expect(rows).to.deep.equal(codes);
  });
});
