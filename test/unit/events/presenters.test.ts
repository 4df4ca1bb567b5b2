// stores: none
import { expect } from 'chai';
import type { EventData } from '../../../src/events/catalogue.ts';
import { presentMatch } from '../../../src/events/presentApp.ts';
import { PRESENTERS } from '../../../src/events/presenters.ts';
import { MAX_LINK_IDS } from '../../../src/events/presentLink.ts';
import type { NewEvent } from '../../../src/events/recordEvent.ts';
import type { MatchFacts } from '../../../src/models/match.ts';
import { sampleData } from '../../../src/webhooks/samples.ts';

const AT = new Date('2026-11-03T09:30:00.000Z');
const ISO = '2026-11-03T09:30:00.000Z';
const NO_MATCH = { method: 'none', confidence: 0, factors: [], clickedAt: null } as const satisfies MatchFacts;
const UNMATCHED = {
  matched: false,
  method: 'none',
  confidence: 0,
  score: null,
  guaranteed: false,
  factors: [],
  clicked_at: null,
};

describe('presenters of events', () => {
  it('show an install that nothing is known of, with every field', () => {
    const install = { id: 'ins_1', installId: 'u', appVersion: null, osVersion: null, firstOpenedAt: AT };
    const facts = { match: NO_MATCH, clickId: null, link: null };
    expect(PRESENTERS['app.installed']({ install: { ...install, platform: 'web' }, ...facts })).to.deep.equal({
      install: {
        id: 'ins_1',
        install_id: 'u',
        platform: 'web',
        app_version: null,
        os_version: null,
        first_opened_at: ISO,
      },
      match: UNMATCHED,
      click_id: null,
      link: null,
    });
  });

  it('show an opening, an event of an app, checks and a domain of which little is known', () => {
    const opening = { openId: 'o', installId: 'u', platform: 'ios', direct: false } as const;
    expect(PRESENTERS['app.opened']({ ...opening, match: NO_MATCH, link: null })).to.deep.equal({
      open_id: 'o',
      install_id: 'u',
      platform: 'ios',
      direct: false,
      match: UNMATCHED,
      link: null,
    });
    const event = { id: 'e', name: 'n', occurredAt: AT, value: null, currency: null, properties: null, outlier: false };
    expect(PRESENTERS['app.event']({ event, installId: 'u', link: null })).to.deep.equal({
      event: { id: 'e', name: 'n', occurred_at: ISO, value: null, currency: null, properties: null, outlier: false },
      install_id: 'u',
      link: null,
    });
    const check = { name: 'dns', status: 'skip', message: 'Not looked at yet.', since: null } as const;
    expect(PRESENTERS['health.failed']([check])).to.deep.equal({ checks: [check] });
    const times = { checkedAt: null, verifiedAt: null, createdAt: AT, updatedAt: AT };
    const destinations = {
      rootDestination: null,
      notFoundDestination: null,
      expiredDestination: null,
      managedBy: null,
    };
    const domain = { id: 'dom_1', projectId: 'prj_1', hostname: 'go.example.com', verification: [], problem: null };
    expect(
      PRESENTERS['domain.verified']({ ...domain, kind: 'web', status: 'pending', ...times, ...destinations }),
    ).to.deep.equal({
      domain: {
        id: 'dom_1',
        project_id: 'prj_1',
        hostname: 'go.example.com',
        kind: 'web',
        status: 'pending',
        verification: [],
        problem: null,
        checked_at: null,
        verified_at: null,
        root_destination: null,
        not_found_destination: null,
        expired_destination: null,
        managed_by: null,
        created_at: ISO,
        updated_at: ISO,
      },
    });
  });

  it('show nothing that models know besides', () => {
    const more = { secret: 'x', teamId: 'team_1' };
    const link = { id: 'lnk_1', slug: 's', domain: 'go.example.com', destination: 'https://x', data: {}, ...more };
    const event = {
      id: 'e',
      name: 'n',
      occurredAt: AT,
      value: 1,
      currency: 'EUR',
      properties: {},
      outlier: false,
      ...more,
    };
    const check = { name: 'dns', status: 'fail', message: 'm', since: AT, ...more } as const;
    const factors = [{ name: 'ip', points: 40, ...more }];
    const shown = [
      PRESENTERS['app.event']({ event, installId: 'u', link }),
      PRESENTERS['health.recovered']([check]),
      presentMatch({ ...NO_MATCH, factors, ...more }),
    ];
    expect(JSON.stringify(shown)).to.not.match(/secret|team/i);
  });

  it('tell whether there is a match, and a sure one, from its method', () => {
    const told = (['link', 'referrer', 'clipboard', 'probabilistic', 'none'] as const).map((method) => {
      const { matched, guaranteed } = presentMatch({ ...NO_MATCH, method });
      return [method, matched, guaranteed];
    });
    expect(told).to.deep.equal([
      ['link', true, true],
      ['referrer', true, true],
      ['clipboard', true, true],
      ['probabilistic', true, false],
      ['none', false, false],
    ]);
  });

  it('name at most 10,000 links of a batch, each once, and say when there are more', () => {
    const present = (linkIds: string[]) =>
      PRESENTERS['links.imported']({
        batchId: 'bat_1',
        source: 'csv',
        action: 'create',
        counts: { created: linkIds.length, updated: 0, skipped: 0, failed: 0 },
        linkIds,
      });
    const ids = Array.from({ length: MAX_LINK_IDS + 1 }, (_, n) => `lnk_${n}`);
    expect(MAX_LINK_IDS).to.equal(10_000);
    expect(present(ids)).to.include({ link_ids_truncated: true }).and.property('link_ids').length(MAX_LINK_IDS);
    expect(present(ids.slice(1))).to.deep.include({ link_ids_truncated: false, link_ids: ids.slice(1) });
    expect(present(['a', 'b', 'a'])).to.deep.include({ link_ids_truncated: false, link_ids: ['a', 'b'] });
  });

  it('are what the compiler holds events against', () => {
    const { link } = sampleData('link.created');
    const scope = { teamId: 'team_1', projectId: 'prj_1' };
    const right: NewEvent[] = [{ ...scope, type: 'link.created', data: { link } }];
    const wrong: NewEvent[] = [
      // @ts-expect-error the reason is missing
      { ...scope, type: 'link.flagged', data: { link } },
      // @ts-expect-error the data of another type
      { ...scope, type: 'links.imported', data: { link } },
      // @ts-expect-error a type that there is not
      { ...scope, type: 'link.eaten', data: { link } },
    ];
    // @ts-expect-error not a whole link
    const partial: EventData['link.deleted'] = { link: { id: link.id } };
    expect([...right, ...wrong, partial]).to.have.length(5);
  });
});
