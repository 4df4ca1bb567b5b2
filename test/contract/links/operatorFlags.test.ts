// stores: any
import { expect } from 'chai';
import { type AdminContext, WrongArguments } from '../../../app/admin/commands/AdminCommand.ts';
import { LINK_COMMANDS } from '../../../app/admin/commands/links.ts';
import { rescanLinks } from '../../../jobs/rescanLinks.ts';
import { clearFlag, flagLink } from '../../../src/links/flagService.ts';
import { useScannedLinks } from '../../support/scannedLinks.ts';
import { makeTenant } from '../../support/tenants.ts';

describe('operators', () => {
  const { world, list, make, show, typesOf, alertsOf, rescan, review, flagged } = useScannedLinks();

  const run = async (name: string, ...args: string[]) => {
    const printed: string[] = [];
    const context: AdminContext = {
      folder: '/',
      given: {},
      product: null,
      signal: new AbortController().signal,
      print: async (text) => void printed.push(text),
      showProgress: (line) => void printed.push(line),
    };
    const command = LINK_COMMANDS.find((known) => known.name === name);
    const end = await command?.run(args, context);
    return [...printed, ...(end ? [end] : [])].join('\n');
  };

  it('flag, list and clear', async () => {
    const link = await make('https://reported.example/');
    expect(await run('flag', link.id, 'sells', 'counterfeits')).to.include('is flagged');
    expect(await run('flag', link.id, 'sells', 'counterfeits')).to.include('already');
    expect(await show(link.id)).to.include({ status: 'flagged', flag_reason: 'sells counterfeits' });
    const { body: team } = await world.api('GET', '/team');
    for (const args of [[], [`--team=${team.id}`]]) {
      expect(await run('list-flagged', ...args))
        .to.include(link.short_url)
        .and.include('sells counterfeits');
    }
    const { teamId } = await makeTenant(world);
    expect(await run('list-flagged', `--team=${teamId}`)).to.equal('No link is flagged.');
    expect(await run('clear-flag', link.id)).to.include('cleared');
    expect(await run('clear-flag', link.id)).to.include('not flagged');
    expect((await show(link.id)).status).to.equal('active');
    for (const args of [
      ['flag', link.id],
      ['clear-flag'],
      ['list-flagged', 'x'],
      ['list-flagged', '--team=team_none'],
    ] as [string, ...string[]][]) {
      let refused: unknown;
      await run(...args).catch((error: unknown) => {
        refused = error;
      });
      expect(refused, args.join(' ')).to.be.an('error');
    }
  });

  it('list by pages, newest flag first, and only links whose review was requested', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => make('https://listed.example/')));
    for (const { id } of made) await flagLink(id, 'listed');
    await review(made[1].id);
    const { body: team } = await world.api('GET', '/team');
    const whole = (await run('list-flagged', `--team=${team.id}`, '--json'))
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(whole.map(({ id }) => id)).to.include.members(made.map(({ id }) => id));
    const times = whole.map(({ flagged_at }) => flagged_at);
    expect(times).to.deep.equal([...times].sort().reverse());
    expect(whole.find(({ id }) => id === made[0].id)).to.include({
      flag_reason: 'listed',
      destination: 'https://listed.example/',
    });
    const [first, second, more = ''] = (await run('list-flagged', '--limit=2', '--json')).split('\n');
    expect([first, second].map((line) => JSON.parse(line ?? ''))).to.deep.equal(whole.slice(0, 2));
    const cursor = more.replace('There are more: ', '');
    expect(cursor).to.match(/^--cursor=/);
    expect(
      JSON.parse(await run('list-flagged', '--json', '--limit=1', cursor).then((text) => text.split('\n')[0] ?? '')),
    ).to.deep.equal(whole[2]);
    expect(await run('list-flagged', '--review'))
      .to.include(made[1].id)
      .and.not.include(made[0].id);
    for (const wrong of ['--limit=0', '--limit=x', '--limit=-1', '--color'])
      expect(await run('list-flagged', wrong).catch((error) => error), wrong).to.be.an.instanceOf(WrongArguments);
  });

  it('clear for good: the same finding does not flag again until the URLs or the verdict change', async () => {
    const link = await make('https://harmless.example/');
    await list('harmless.example');
    await rescan();
    await flagged(link.id);
    await clearFlag(link.id);
    await rescan();
    await rescan();
    expect((await show(link.id)).status).to.equal('active');
    await world.api('PATCH', `/links/${link.id}`, { preview: { image_url: 'https://other.example/i.png' } });
    await rescan();
    await flagged(link.id);
    await clearFlag(link.id);
    await list();
    await rescan();
    await list('harmless.example');
    await rescan();
    await flagged(link.id);
    expect(await alertsOf(link.id)).to.have.length(3);
  });

  it('overrule a scan: then a review waits for them', async () => {
    const link = await make('https://both.example/');
    await flagLink(link.id, 'found', [{ path: 'destination', url: 'https://both.example/' }]);
    expect(await flagLink(link.id, 'looked at: phishing')).to.equal(true);
    expect(await show(link.id)).to.include({ flag_reason: 'looked at: phishing' });
    await review(link.id);
    await rescanLinks();
    expect((await show(link.id)).status).to.equal('flagged');
    expect((await typesOf(link.id)).filter((type) => type === 'link.flagged')).to.have.length(1);
  });
});
