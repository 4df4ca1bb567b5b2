// stores: each
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { changeLinks } from '../../../src/links/changeLinks.ts';
import type { LinkChange } from '../../../src/links/linkInput.ts';
import { Event } from '../../../src/models/Event.ts';
import { makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

const NOW = Date.parse('2026-11-03T09:30:00.000Z');
const HOUR_MS = 3_600_000;
/** One of them falls between the two presentations that are compared. */
const LOOKS = [1, 2, 3, 4];

describe('link.updated, while the status follows from time', () => {
  let store: OpenStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  afterEach(() => clock.reset());

  /** The changes that are told of a link whose status turns at NOW; that is the n-th time that the clock is looked at. */
  const toldOf = async (column: 'startsAt' | 'expiresAt', input: LinkChange, look = 1) => {
    const project = await makeProject();
    const link = await makeLink(project.id, { [column]: new Date(NOW) });
    let moment = NOW - look;
    clock.use({ now: () => moment++ });
    await inTransaction((transaction) =>
      changeLinks(project, [{ linkId: link.id, input, address: {}, isScanned: true }], transaction),
    );
    const events = await Event.findAll({ where: { linkId: link.id } });
    return events.map(({ type, data }) => [type, Object.keys(data.changes as object)]);
  };

  it('tells nothing of a link that starts or expires while its title is changed', async () => {
    for (const look of LOOKS) {
      for (const column of ['startsAt', 'expiresAt'] as const) {
        expect(await toldOf(column, { title: 'Later' }, look)).to.deep.equal([]);
      }
    }
  });

  it('tells of another field without the status', async () => {
    for (const look of LOOKS) {
      for (const column of ['startsAt', 'expiresAt'] as const) {
        expect(await toldOf(column, { data: { a: 1 } }, look)).to.deep.equal([['link.updated', ['data']]]);
      }
    }
  });

  it('tells of the status that follows from a changed field', async () => {
    const input = { expiresAt: new Date(NOW - HOUR_MS) };
    expect(await toldOf('expiresAt', input)).to.deep.equal([['link.updated', ['status', 'expires_at']]]);
  });
});
