// stores: none
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { refuseClosedSignUp, signUpPolicy } from '../../../src/accounts/signUpService.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { isFromThisMachine } from '../../../src/kernel/incomingRequest.ts';

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

  it('is for this machine alone, whatever Host another one writes', () => {
    loadConfig({ LOG_LEVEL: 'silent', HOST: '0.0.0.0' });
    expect([signUpPolicy(true), signUpPolicy(false)]).to.deep.equal(['open', 'invitation']);
    expect(() => refuseClosedSignUp({}, { isFromThisMachine: false })).to.throw('need an invitation');
    expect(() => refuseClosedSignUp({ invitationToken: 'x' }, { isFromThisMachine: false })).not.to.throw();
    expect(isFromThisMachine(from('192.0.2.7'))).to.equal(false);
    for (const here of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isFromThisMachine(from(here))).to.equal(true);
  });
  const from = (remoteAddress: string) => ({ socket: { remoteAddress } }) as IncomingMessage;

  it('is decided by where BASE_URL is only when nothing else is said', () => {
    loadConfig({ LOG_LEVEL: 'silent', BASE_URL: 'https://svc.example.com', SIGN_UP: 'open' });
    expect(signUpPolicy()).to.equal('open');
  });
});
