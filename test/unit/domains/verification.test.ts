// stores: none
import { expect } from 'chai';
import { type LinkTarget, verificationRecords } from '../../../src/domains/verification.ts';
import { NOTHING_SEEN, type Seen } from '../../../src/models/Domain.ts';

const PLACE: LinkTarget = { target: 'links.svc.net', addresses: ['203.0.113.7', '2001:db8::7'], isProof: true };
const claim = (hostname: string, kind: 'link' | 'web' = 'link') => ({
  id: 'dom_1',
  hostname,
  kind,
  verificationToken: 'secret',
});
const shown = (given: ReturnType<typeof claim>, place: LinkTarget) =>
  verificationRecords(given, place, NOTHING_SEEN).map(({ name, type, value, purpose }) => [purpose, type, name, value]);
const TXT = (hostname: string) => ['ownership', 'TXT', `_svc-challenge.${hostname}`, 'svc-verify=secret'];

describe('records of a domain', () => {
  it('a sub-domain is an alias of ours', () => {
    expect(shown(claim('go.example.co.uk'), PLACE)).to.deep.equal([
      TXT('go.example.co.uk'),
      ['routing', 'CNAME', 'go.example.co.uk', 'links.svc.net'],
    ]);
  });

  it('an apex has our addresses, for it cannot have a CNAME', () => {
    expect(shown(claim('example.co.uk'), PLACE)).to.deep.equal([
      TXT('example.co.uk'),
      ['routing', 'A', 'example.co.uk', '203.0.113.7'],
      ['routing', 'AAAA', 'example.co.uk', '2001:db8::7'],
    ]);
    const [, a] = verificationRecords(claim('example.co.uk'), PLACE, NOTHING_SEEN);
    expect(a?.about)
      .to.match(/apex/)
      .and.match(/ALIAS or ANAME/)
      .and.include('links.svc.net');
  });

  it('says so while our addresses are not known', () => {
    const [, alias] = verificationRecords(claim('example.com'), { ...PLACE, addresses: null }, NOTHING_SEEN);
    expect(alias).to.include({ type: 'CNAME', value: 'links.svc.net' });
    expect(alias?.about)
      .to.match(/cannot have a CNAME/)
      .and.match(/not known yet/);
  });

  it('pages are proven by a record or a file', () => {
    expect(shown(claim('www.example.com', 'web'), PLACE)).to.deep.equal([
      TXT('www.example.com'),
      ['ownership', 'FILE', 'https://www.example.com/.well-known/dom_1.txt', 'svc-verify=secret'],
    ]);
  });

  it('each says what to paste where', () => {
    for (const { about } of verificationRecords(claim('go.example.com'), PLACE, NOTHING_SEEN))
      expect(about).to.match(/\.$/);
  });

  it('each says what the last look found there, and whether that is right', () => {
    const found = (given: ReturnType<typeof claim>, seen: Partial<Seen>) =>
      verificationRecords(given, PLACE, { ...NOTHING_SEEN, ...seen }).map((record) => [record.found, record.isSet]);
    expect(found(claim('go.example.com'), {})).to.deep.equal([
      [null, false],
      [null, false],
    ]);
    const texts = ['v=spf1 -all', ' svc-verify=secret'];
    expect(found(claim('go.example.com'), { txt: texts, alias: ['cdn.net'], addresses: ['8.8.8.8'] })).to.deep.equal([
      [texts, true],
      [['cdn.net'], false],
    ]);
    expect(found(claim('go.example.com'), { alias: [], addresses: ['203.0.113.7'], isRouted: true })).to.deep.equal([
      [null, false],
      [['203.0.113.7'], true],
    ]);
    expect(found(claim('example.com'), { txt: [], addresses: ['203.0.113.7', '203.0.113.9'] })).to.deep.equal([
      [[], false],
      [['203.0.113.7', '203.0.113.9'], true],
      [[], false],
    ]);
    expect(found(claim('example.com', 'web'), { txt: ['other'], file: ['svc-verify=secret'] })).to.deep.equal([
      [['other'], false],
      [['svc-verify=secret'], true],
    ]);
  });

  it('says that only the TXT record proves it where that is so', () => {
    const about = (isProof: boolean) =>
      verificationRecords(claim('go.example.com'), { ...PLACE, isProof }, NOTHING_SEEN)[1]?.about;
    expect(about(true)).to.match(/unless another team sets a TXT record/);
    expect(about(false)).to.match(/only the TXT record proves/);
  });
});
