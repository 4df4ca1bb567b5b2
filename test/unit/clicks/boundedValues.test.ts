// stores: none
import { expect } from 'chai';
import { withBoundedValues } from '../../../src/clicks/boundedValues.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick } from '../../support/clicks.ts';

const DAY = Date.UTC(2027, 1, 3);

describe('what visitors say as they like', () => {
  let projectId: string;

  before(() => {
    loadConfig({ DISTINCT_VALUES_PER_DAY: '3' });
  });
  beforeEach(() => {
    projectId = newId('prj');
  });

  const stored = (fields: object, occurredAt = DAY) =>
    withBoundedValues({ ...makeClick({ projectId, occurredAt }), ...fields });

  it('has so many places in a day; later referrers and languages are other, known ones stay', () => {
    for (const name of ['a', 'b', 'a', 'c']) expect(stored({ referrerHost: name }).referrerHost).to.equal(name);
    for (const name of ['d', 'e', 'd']) expect(stored({ referrerHost: name }).referrerHost).to.equal('other');
    for (const name of ['a', 'b', 'c', null]) expect(stored({ referrerHost: name }).referrerHost).to.equal(name);
    expect(stored({ referrerHost: 'd', language: 'd' })).to.include({ referrerHost: 'other', language: 'd' });
  });

  it('has places of its own on each day and in each project', () => {
    for (const name of ['a', 'b', 'c']) stored({ referrerHost: name });
    expect(stored({ referrerHost: 'd' }, DAY + 86_400_000).referrerHost).to.equal('d');
    expect(stored({ referrerHost: 'd', projectId: newId('prj') }).referrerHost).to.equal('d');
    expect(stored({ referrerHost: 'd' }, DAY + 86_399_999).referrerHost).to.equal('other');
  });

  it('changes nothing of the click that is matched with installs', () => {
    for (const name of ['a', 'b', 'c']) stored({ language: name });
    const click = makeClick({ projectId, occurredAt: DAY, language: 'd' });
    expect(withBoundedValues(click).language).to.equal('other');
    expect(click.language).to.equal('d');
  });
});
