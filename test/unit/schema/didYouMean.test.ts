// stores: none
import { expect } from 'chai';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { didYouMean } from '../../../schema/didYouMean.ts';
import { schemaOfInputs } from '../../../schema/inputSchema.ts';
import { compileValidator } from '../../../schema/validate.ts';

const LINK = 'domain slug destination routing data tags title notes utm preview starts_at expires_at external_id'.split(
  ' ',
);
const PAGE = 'search tag domain status created_after created_before limit cursor sort order group_by'.split(' ');

describe('did you mean', () => {
  const cases: [string, string[], string][] = [
    ['expiresAt', LINK, ' Did you mean expires_at?'],
    ['ExpiresAt', LINK, ' Did you mean expires_at?'],
    ['expires-at', LINK, ' Did you mean expires_at?'],
    ['expire_at', LINK, ' Did you mean expires_at?'],
    ['destinaton', LINK, ' Did you mean destination?'],
    ['url', LINK, ' Did you mean destination?'],
    ['long_url', LINK, ' Did you mean destination?'],
    ['url', ['name', 'endpoint'], ' Known: name, endpoint.'],
    ['targetUrl', ['url', 'event_types'], ' Did you mean url?'],
    ['events', ['url', 'event_types'], ' Did you mean event_types?'],
    ['status', [...LINK, 'archived'], ' Did you mean archived?'],
    // Without the peers' table it would be near to "tags".
    ['status', LINK, ''],
    ['groupBy', PAGE, ' Did you mean group_by?'],
    ['page', PAGE, ' Did you mean cursor?'],
    ['per_page', PAGE, ' Did you mean limit?'],
    ['tags', PAGE, ' Did you mean tag?'],
    ['unheard_of', LINK, ''],
    ['xy', LINK, ''],
    ['__proto__', LINK, ''],
    ['constructor', LINK, ''],
    ['anything', [], ''],
  ];
  for (const [name, known, expected] of cases) {
    it(`${name} among ${known.slice(0, 2).join(', ')}…`, () => {
      expect(didYouMean(name, known)).to.equal(expected);
    });
  }

  it('takes no time for a name as long as a body', () => {
    expect(didYouMean('x'.repeat(200_000), LINK)).to.equal('');
  });

  it('answers unknown names wherever they stand in a body', () => {
    const type = buildGraphqlSchema().getType('CreateLinkInput');
    const fields = type && 'getFields' in type ? Object.values(type.getFields()) : [];
    const validate = compileValidator(schemaOfInputs(fields as never, 'wire'));
    const problems = validate({
      destination: 'https://example.com/',
      clickLimits: 1,
      utm: { utm_source: 'a' },
      routing: { rules: [{ when: { countries: ['DE'] }, url: 'https://example.com' }], openApp: true },
    });
    expect(Object.fromEntries(problems.map(({ path, message }) => [path, message]))).to.include({
      clickLimits: 'Is not a known field. Did you mean click_limit?',
      'utm.utm_source': 'Is not a known field. Did you mean source?',
      'routing.openApp': 'Is not a known field. Did you mean open_app?',
      'routing.rules.0.url': 'Is not a known field. Did you mean destination?',
      'routing.rules.0.when.countries': 'Is not a known field. Did you mean country?',
    });
  });
});
