// stores: postgres
import { expect } from 'chai';
import type { Principal } from '../../../src/access/principal.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createLink } from '../../../src/links/linkService.ts';
import { fanOut } from '../../../src/webhooks/fanOut.ts';
import { makeProject } from '../../support/clicks.ts';
import { statementsOf } from '../../support/statementsOf.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { STORE } from '../../support/stores.ts';

describe('the cost of creating a link', () => {
  let store: OpenStore;

  before(async function () {
    if (STORE !== 'postgres') this.skip();
    store = await openStore();
  });
  after(() => store?.close());

  /** Each statement is a way to the store and back, and some 0.2 ms of CPU on both sides: see docs/capacity.md. */
  it('is twelve statements for a team that is not new: seven of the request, five of the reader of the outbox', async () => {
    const { id: projectId, teamId } = await makeProject();
    const scopes = new Set(['links:write'] as const);
    const principal: Principal = { kind: 'key', keyId: newId('key'), keyKind: 'secret', projectId, teamId, scopes };
    const create = () => createLink(principal, { projectId, destination: 'https://www.example.com/' });
    await inTransaction((transaction) =>
      queryRaw("UPDATE teams SET created_at = '2026-01-01' WHERE id = $1", [teamId], transaction),
    );
    await create();
    await fanOut();
    const ofRequest = await statementsOf(create);
    expect(ofRequest, ofRequest.join('\n')).to.have.length(7);
    const ofReader = await statementsOf(fanOut);
    expect(ofReader, ofReader.join('\n')).to.have.length(5);
  });
});
