// stores: none
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeClick, encodeLink, encodeVisit } from '../../../src/clicks/click.ts';
import { makeClick } from '../../support/clicks.ts';

const text = fc.string({ unit: 'binary' });
const known = fc.option(text);

describe('a line glued from what is known of the link', () => {
  it('is the line of the whole click', () => {
    fc.assert(
      fc.property(
        fc.record({
          projectId: text,
          domain: text,
          slug: text,
          trafficReason: known,
          region: known,
          city: known,
          browser: known,
          language: known,
          referrerHost: known,
          destination: known,
          rule: known,
          utm: fc.option(fc.record({ source: known, medium: known })),
          tagIds: fc.array(text),
          osVersion: known,
          deviceModel: known,
        }),
        (values) => {
          const click = makeClick(values);
          expect(encodeVisit(encodeLink(click), click)).to.equal(encodeClick(click));
        },
      ),
    );
  });
});
