// stores: each
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '../../../src/kernel/ids.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { useInstalls } from '../../support/installs.ts';
import { PIXEL } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeTenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';

describe('lists of installs', () => {
  const { world, mine, makeLink, installBy, install, show } = useInstalls();

  const uuidsOf = (rows: { install_id: string }[]) => rows.map(({ install_id }) => install_id);
  const list = async (query: Record<string, string> = {}) => uuidsOf(await walk(mine().api, '/installs', query));

  it('are listed newest first, and walked whatever comes meanwhile', async () => {
    const time = stopClock();
    const made: string[] = [];
    for (let at = 0; at < 7; at += 1) {
      // Some of the same moment.
      if (at % 3 === 0) time.move(1);
      made.unshift(await install());
    }
    const rows = await walk(mine().api, '/installs', { limit: '2' }, install);
    expect(uuidsOf(rows)).to.deep.equal(made);
    const [gone, ...left] = (await list({ limit: '100' })).filter((id) => !made.includes(id));
    expect(left).to.have.length(2);
    const deleting = () => mine().api('DELETE', `/installs/${gone}`);
    expect(uuidsOf(await walk(mine().api, '/installs', { limit: '1' }, deleting))).to.include.members([
      ...left,
      ...made,
    ]);
  });

  it('are filtered by link and by time', async () => {
    const time = stopClock();
    const [spring, autumn] = [await makeLink({ external_id: 'spring' }), await makeLink()];
    const one = await installBy(spring);
    const firstAt = new Date(time.nowMs).toISOString();
    time.move(10);
    const secondAt = new Date(time.nowMs).toISOString();
    const two = await installBy(spring, {}, PIXEL);
    const three = await installBy(autumn);
    time.move(10);
    const four = await install();
    const both = [two, three].sort();
    const table: [Record<string, string>, string[]][] = [
      [{}, [one, two, three, four]],
      [{ link_id: spring.id }, [one, two]],
      [{ link_id: 'ext_spring' }, [one, two]],
      [{ link_id: autumn.id }, [three]],
      [{ link_id: newId('lnk') }, []],
      [{ link_id: 'ext_nothing' }, []],
      [{ link_id: 'x' }, []],
      [{ created_after: secondAt }, [two, three, four]],
      [{ created_before: secondAt }, [one]],
      [{ created_after: firstAt, created_before: secondAt }, [one]],
      [{ created_after: secondAt, created_before: secondAt }, []],
      [{ link_id: spring.id, created_after: secondAt }, [two]],
    ];
    for (const [query, expected] of table)
      expect(await list(query), JSON.stringify(query))
        .to.have.members(expected)
        .and.to.have.length(expected.length);
    await mine().api('DELETE', `/links/${spring.id}`);
    expect(await list({ link_id: spring.id })).to.deep.equal([two, one]);
    expect(await list({ link_id: 'ext_spring' })).to.deep.equal([]);
    expect((await show(one)).link_id).to.equal(spring.id);
    expect(
      (await list({ created_after: secondAt, created_before: new Date(time.nowMs).toISOString() })).sort(),
    ).to.deep.equal(both);
  });

  it('422 for unknown and bad parameters, each named; 400 for a cursor of another question', async () => {
    await install();
    await install();
    const api = mine().api;
    expectInvalid(
      await api('GET', '/installs?colour=red&limit=0&created_after=x&link_id='),
      'colour',
      'limit',
      'created_after',
      'link_id',
    );
    expectInvalid(await api('GET', `/installs/${randomUUID()}?a=1`), 'a');
    expectInvalid(await api('GET', `/installs/${randomUUID()}/match?a=1`), 'a');
    const { next_cursor: cursor } = (await api('GET', '/installs?limit=1')).body;
    expect((await api('GET', `/installs?limit=1&cursor=${cursor}`)).body.data).to.have.length(1);
    for (const query of [`cursor=${cursor}&created_after=2026-01-01T00:00:00Z`, 'cursor=x'])
      expectError(await api('GET', `/installs?${query}`), 400, 'invalid_request');
    const other = await makeTenant(world(), mine().teamId);
    expectError(await other.api('GET', `/installs?cursor=${cursor}`), 400, 'invalid_request');
  });
});
