import { expect } from 'chai';
import { signatureHeader } from '../../src/webhooks/requestHeaders.ts';

const body = '{"id":"evt_1","type":"link.created","data":{"title":"Frühling ☀"}}';
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The cases of a verifier of signatures, which gives the event of a body or throws. */
export function itIsVerifiedBy(name: string, verify: (body: string, header: string, secret: string) => unknown): void {
  it(`is accepted by ${name}, with each live secret`, () => {
    const header = signatureHeader(['whsec_new', 'whsec_old'], body, nowSeconds());
    for (const secret of ['whsec_new', 'whsec_old']) {
      expect(verify(body, header, secret)).to.deep.equal(JSON.parse(body));
    }
  });

  it(`is refused by ${name} when a byte of the body, the time or the secret changes`, () => {
    const at = nowSeconds();
    const header = signatureHeader(['whsec_new'], body, at);
    const forgeries: [string, string, string][] = [
      [body.replace('evt_1', 'evt_2'), header, 'whsec_new'],
      [`${body} `, header, 'whsec_new'],
      [body, header.replace(`t=${at}`, `t=${at + 1}`), 'whsec_new'],
      [body, header, 'whsec_neu'],
      [body, signatureHeader(['whsec_new'], body, at - 301), 'whsec_new'],
    ];
    for (const [forgedBody, forgedHeader, secret] of forgeries) {
      expect(() => verify(forgedBody, forgedHeader, secret)).to.throw();
    }
  });
}
