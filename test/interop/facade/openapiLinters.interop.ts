// stores: any
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect } from 'chai';
import { useDocument } from '../../support/clientDocument.ts';
import { useWorld } from '../../support/world.ts';

interface RedoclyProblem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

interface SpectralProblem {
  code: string | number;
  message: string;
  path: (string | number)[];
}

describe('/openapi.json', () => {
  const client = useDocument(useWorld());

  it('passes a strict linter', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Installations run where their owners run them: on localhost while they are tried out.
        'no-server-example.com': 'off',
        // /links/external/{external_id} and /links/{id}/archive: fixed segments win, and no link has the id "external".
        'no-ambiguous-paths': 'off',
      },
    });
    const problems: RedoclyProblem[] = await lintFromString({
      source: JSON.stringify(client.document),
      absoluteRef: '/openapi.json',
      config,
    });
    const shown = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
    expect(shown).to.deep.equal([]);
  });

  it('passes a second linter', async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset({
      extends: [oas as never],
      // Whom to ask is for the owner of an installation to say.
      rules: { 'info-contact': 'off' },
    });
    const problems: SpectralProblem[] = await linter.run(client.document);
    expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).to.deep.equal([]);
  });
});
