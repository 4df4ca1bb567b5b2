import { expect } from 'chai';
import { type OwnPlace, verificationRecords } from '../../../src/domains/verificationRecords.ts';

const PLACE: OwnPlace = { target: 'links.svc.net', addresses: ['203.0.113.7', '2001:db8::7'] };
const claim = (hostname: string, kind: 'link' | 'web' = 'link') => ({
  id: 'dom_1',
  hostname,
  kind,
  verificationToken: 'secret',
});
const shown = (...given: Parameters<typeof verificationRecords>) =>
  verificationRecords(...given).map(({ name, type, value, purpose }) => [purpose, type, name, value]);
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
    const [, a] = verificationRecords(claim('example.co.uk'), PLACE);
    expect(a?.about)
      .to.match(/apex/)
      .and.match(/ALIAS or ANAME/)
      .and.include('links.svc.net');
  });

  it('says so while our addresses are not known', () => {
    const [, alias] = verificationRecords(claim('example.com'), { ...PLACE, addresses: null });
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
    for (const { about } of verificationRecords(claim('go.example.com'), PLACE)) expect(about).to.match(/\.$/);
  });
});
