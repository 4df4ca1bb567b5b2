// stores: none
import { expect } from 'chai';
import { matches, type SelectableEvent, type SelectableWebhook } from '../../../src/webhooks/decideReceivers.ts';

const teamWide: SelectableWebhook = {
  id: 'whk_1',
  teamId: 'team_1',
  status: 'enabled',
  eventTypes: ['*'],
  projectId: null,
  linkId: null,
  tagId: null,
  includeBots: false,
};
const ofProject = { ...teamWide, projectId: 'prj_1' };
const ofLink = { ...teamWide, linkId: 'lnk_1' };
const ofTag = { ...teamWide, tagId: 'tag_1' };

const aboutLink = (type: string, change: Partial<SelectableEvent> = {}): SelectableEvent => ({
  type,
  teamId: 'team_1',
  projectId: 'prj_1',
  linkId: 'lnk_1',
  tagIds: ['tag_0', 'tag_1'],
  trafficClass: null,
  webhookId: null,
  ...change,
});
const ofTheProject = (type: string) => aboutLink(type, { linkId: null, tagIds: [] });
const ofTheTeam = (type: string) => aboutLink(type, { projectId: null, linkId: null, tagIds: [] });
const click = (trafficClass: string | null) => aboutLink('link.clicked', { trafficClass });

describe('which webhook gets which event', () => {
  type Case = [name: string, event: SelectableEvent, teamWide: boolean, project: boolean, link: boolean, tag: boolean];
  const cases: Case[] = [
    ['link.created', aboutLink('link.created'), true, true, true, true],
    ['link.deleted', aboutLink('link.deleted'), true, true, true, true],
    ['a human click', click('human'), true, true, true, true],
    ['app.installed of the link', aboutLink('app.installed'), true, true, true, true],
    ['app.event of the link', aboutLink('app.event'), true, true, true, true],
    ['app.installed of no link', ofTheProject('app.installed'), true, true, false, false],
    ['an alert of the link', aboutLink('alert.created'), true, true, true, true],
    ['an alert of the project', ofTheProject('alert.created'), true, true, false, false],
    ['an alert of the team', ofTheTeam('alert.created'), true, false, false, false],
    ['links.imported', ofTheProject('links.imported'), true, true, false, false],
    ['links.imported, even if it named a link', aboutLink('links.imported'), true, true, false, false],
    ['health.failed', ofTheProject('health.failed'), true, true, false, false],
    ['domain.verified', ofTheProject('domain.verified'), true, true, false, false],
    ['another link with the tag', aboutLink('link.updated', { linkId: 'lnk_2' }), true, true, false, true],
    ['the link without the tag', aboutLink('link.updated', { tagIds: ['tag_0'] }), true, true, true, false],
    [
      'another project',
      aboutLink('link.created', { projectId: 'prj_2', linkId: 'lnk_2', tagIds: [] }),
      true,
      false,
      false,
      false,
    ],
    ['another team', aboutLink('link.created', { teamId: 'team_2' }), false, false, false, false],
  ];
  for (const [name, event, ...expected] of cases) {
    it(`${name}: team-wide, project, link, tag`, () => {
      expect([teamWide, ofProject, ofLink, ofTag].map((webhook) => matches(webhook, event))).to.deep.equal(expected);
    });
  }

  it('only the types that the webhook asked for', () => {
    const some = { ...teamWide, eventTypes: ['link.created', 'link.clicked'] };
    expect(matches(some, aboutLink('link.created'))).to.equal(true);
    expect(matches(some, aboutLink('link.updated'))).to.equal(false);
    expect(matches({ ...teamWide, eventTypes: [] }, aboutLink('link.updated'))).to.equal(false);
  });

  it('clicks by their traffic class', () => {
    const expected: [trafficClass: string | null, plain: boolean, withBots: boolean][] = [
      ['human', true, true],
      ['bot', false, true],
      ['scanner', false, true],
      ['prefetch', false, false],
      [null, false, false],
    ];
    for (const [trafficClass, plain, withBots] of expected) {
      expect(matches(teamWide, click(trafficClass)), `${trafficClass}`).to.equal(plain);
      expect(matches({ ...teamWide, includeBots: true }, click(trafficClass)), `${trafficClass}`).to.equal(withBots);
    }
  });

  it('none while it is disabled', () => {
    expect(matches({ ...teamWide, status: 'disabled' }, aboutLink('link.created'))).to.equal(false);
  });

  it('a test event for its webhook alone, whatever that is subscribed to, disabled or not', () => {
    const test = aboutLink('link.created', { webhookId: 'whk_1' });
    const narrow = { ...ofLink, linkId: 'lnk_9', eventTypes: ['app.event'], status: 'disabled' as const };
    expect(matches(teamWide, test)).to.equal(true);
    expect(matches(narrow, test)).to.equal(true);
    expect(matches({ ...teamWide, id: 'whk_2' }, test)).to.equal(false);
    expect(matches({ ...teamWide, teamId: 'team_2' }, test)).to.equal(false);
  });
});
