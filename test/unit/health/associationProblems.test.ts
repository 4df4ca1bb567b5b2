// stores: none
import { expect } from 'chai';
import { appleProblems } from '../../../src/health/checks/checkAppleFiles.ts';
import { androidProblems } from '../../../src/health/checks/checkAssetLinks.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import type { AndroidApp, IosApp } from '../../../src/models/Project.ts';
import { appLinks, assetLinks } from '../../../src/redirect/association.ts';

const BASE = 'links.example.com';
const IOS: IosApp = {
  platform: 'ios',
  bundle_id: 'com.acme.app',
  team_id: 'ABCDE12345',
  app_store_id: null,
  scheme: null,
};
const PRINT = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':');
const ANDROID: AndroidApp = {
  platform: 'android',
  package: 'com.acme.app',
  sha256_fingerprints: [PRINT],
  scheme: null,
};
const ID = 'ABCDE12345.com.acme.app';

describe('association files', () => {
  before(() => loadConfig({ LOG_LEVEL: 'silent', BASE_URL: `https://${BASE}` }));
  after(() => loadConfig({ LOG_LEVEL: 'silent' }));

  const file = (...details: object[]) => ({ applinks: { details } });
  const all = [{ '/': '/*' }];
  const safe = [{ '/': '/.well-known/*', exclude: true }, ...all];

  it('of our own are right', () => {
    expect(appleProblems(appLinks([IOS]), [IOS], true)).to.deep.equal([]);
    expect(androidProblems(assetLinks([ANDROID]), [ANDROID])).to.deep.equal([]);
  });

  const ios: [what: string, content: unknown, problem: RegExp | null][] = [
    ['a list', [], /no applinks\.details/],
    ['nothing', null, /no applinks\.details/],
    ['details that are no list', { applinks: { details: { appIDs: [ID] } } }, /no applinks\.details/],
    [
      'another app',
      file({ appIDs: ['ABCDE12345.com.other'], components: safe }),
      /ABCDE12345\.com\.acme\.app is not listed/,
    ],
    ['another team', file({ appIDs: ['ZZZZZ99999.com.acme.app'], components: safe }), /is not listed/],
    ['no components', file({ appIDs: [ID] }), /has no components/],
    ['our own paths', file({ appIDs: [ID], components: all }), /would open \/\.well-known\/any.*exclude/],
    ['our own paths, excluded too late', file({ appIDs: [ID], components: [...safe].reverse() }), /would open/],
    ['one name in the old form', file({ appID: ID, components: safe }), null],
    ['many stars', file({ appIDs: [ID], components: [{ '/': '*a'.repeat(20_000) }, ...safe] }), null],
    ['things that are none', file({ appIDs: [ID], components: [1, null, { '/': 7 }, ...safe] }), null],
  ];
  for (const [what, content, problem] of ios) {
    it(`for iOS: ${what}`, () => {
      const problems = appleProblems(content, [IOS], true).join(' ');
      if (problem) expect(problems).to.match(problem);
      else expect(problems).to.equal('');
    });
  }

  it('for iOS on pages may open whatever they want', () => {
    const content = file({ appIDs: [ID], components: all });
    expect(appleProblems(content, [IOS], false)).to.deep.equal([]);
  });

  it('for iOS name every app, and none has a team id that is none', () => {
    const other = { ...IOS, bundle_id: 'com.acme.other' };
    expect(appleProblems(file({ appIDs: [ID], components: safe }), [IOS, other], true)).to.have.length(1);
    expect(appleProblems(file({}), [{ ...IOS, team_id: 'abc' }], true).join()).to.match(/team ID abc/);
  });

  const statement = (target: object, relation = ['delegate_permission/common.handle_all_urls']) => ({
    relation,
    target,
  });
  const target = { namespace: 'android_app', package_name: 'com.acme.app', sha256_cert_fingerprints: [PRINT] };
  const android: [what: string, content: unknown, problem: RegExp | null][] = [
    ['an object', statement(target), /not a list of statements/],
    ['nobody', [], /com\.acme\.app is not listed/],
    ['another package', [statement({ ...target, package_name: 'com.other' })], /is not listed/],
    ['another relation', [statement(target, ['delegate_permission/common.get_login_creds'])], /is not listed/],
    ['a web site', [statement({ ...target, namespace: 'web' })], /is not listed/],
    [
      'small letters',
      [statement({ ...target, sha256_cert_fingerprints: [PRINT.toLowerCase()] })],
      /32 pairs of uppercase hex digits/,
    ],
    ['no fingerprint', [statement({ ...target, sha256_cert_fingerprints: [] })], /without the fingerprint A0:A1/],
    ['two statements for one app', [statement({ ...target, sha256_cert_fingerprints: [] }), statement(target)], null],
  ];
  for (const [what, content, problem] of android) {
    it(`for Android: ${what}`, () => {
      const problems = androidProblems(content, [ANDROID]).join(' ');
      if (problem) expect(problems).to.match(problem);
      else expect(problems).to.equal('');
    });
  }
});
