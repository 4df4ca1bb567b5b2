import { expect } from 'chai';
import { loadConfig } from '../../../src/kernel/config.ts';
import { signUpPolicy } from '../../../src/services/accounts/signUpPolicy.ts';

describe('SIGN_UP=auto', () => {
  afterEach(() => loadConfig({ LOG_LEVEL: 'silent' }));

  const CASES: [baseUrl: string, policy: string][] = [
    ['http://localhost:3000', 'open'],
    ['http://127.0.0.1', 'open'],
    ['http://127.8.9.1:8080', 'open'],
    ['http://[::1]:3000', 'open'],
    ['https://localhost', 'open'],
    ['https://svc.example.com', 'invitation'],
    ['http://192.168.0.7:3000', 'invitation'],
    ['https://localhost.example.com', 'invitation'],
    ['https://127.0.0.1.example.com', 'invitation'],
  ];
  for (const [baseUrl, policy] of CASES) {
    it(`is ${policy} at ${baseUrl}`, () => {
      loadConfig({ LOG_LEVEL: 'silent', BASE_URL: baseUrl });
      expect(signUpPolicy()).to.equal(policy);
    });
  }

  it('is decided by where BASE_URL is only when nothing else is said', () => {
    loadConfig({ LOG_LEVEL: 'silent', BASE_URL: 'https://svc.example.com', SIGN_UP: 'open' });
    expect(signUpPolicy()).to.equal('open');
  });
});
