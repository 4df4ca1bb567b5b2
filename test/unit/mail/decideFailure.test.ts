// stores: none
import { expect } from 'chai';
import { decideFailure, type SmtpFailure } from '../../../src/mail/handOver.ts';

type Case = [what: string, failure: Omit<SmtpFailure, 'message'>, isFinal: boolean, isServerAway: boolean];

const CASES: Case[] = [
  ['nobody listens', { code: 'ESOCKET', command: 'CONN' }, false, true],
  ['no such host', { code: 'EDNS', command: 'CONN' }, false, true],
  ['no answer in time', { code: 'ETIMEDOUT', command: 'CONN' }, false, true],
  ['a certificate that is not accepted', { code: 'ESOCKET', command: 'CONN' }, false, true],
  ['a wrong password', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }, false, true],
  ['a greeting of 554', { code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }, false, true],
  ['the process stops', { code: 'EABORT' }, false, true],
  ['a sender who is refused', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }, false, true],
  ['too many mails from us', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421 }, false, true],
  ['a full mailbox', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 452 }, false, false],
  ['greylisting', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 }, false, false],
  ['no such mailbox', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }, true, false],
  ['a mail that is taken for spam', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, true, false],
  ['no room for the mail', { code: 'EMESSAGE', command: 'DATA', responseCode: 452 }, false, false],
  ['an address that cannot be one', { code: 'EENVELOPE', command: 'API' }, true, false],
];

describe('what follows when a mail is not taken', () => {
  for (const [what, failure, isFinal, isServerAway] of CASES) {
    it(what, () => expect(decideFailure({ message: '', ...failure })).to.deep.equal({ isFinal, isServerAway }));
  }
});
