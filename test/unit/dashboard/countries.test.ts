// stores: none
import { expect } from 'chai';
import { COUNTRIES as OFFERED } from '../../../dashboard/src/kernel/countryCodes.ts';
import { COUNTRIES } from '../../../src/routing/countries.ts';

describe('countries that the dashboard offers', () => {
  it('are those that rules take, each once and under a name of its own', () => {
    expect(OFFERED).to.have.members([...COUNTRIES]);
    for (const language of ['en', 'de', 'fr', 'es', 'ja']) {
      const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
      expect(new Set(OFFERED.map((code) => names.of(code))).size, language).to.equal(OFFERED.length);
    }
  });
});
