import type { EventType } from '../events/catalogue.ts';
import { type EventData, PRESENTERS, type TypedData } from '../events/presenters.ts';
import { changesBetween, type LinkFacts, type PresentedLink, presentLink } from '../events/presentLink.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type SampleContext, sampleFacts } from './sampleFacts.ts';

/**
 * Realistic data of an event of this type, for test deliveries and the API reference. It is built by the presenters of real
 * events, so it has all of their fields. Ids are made up unless `context` sets them.
 */
export function sampleData<Type extends EventType>(type: Type, context: Partial<SampleContext> = {}): EventData[Type] {
  return SAMPLES[type](sampleFacts({ projectId: newId('prj'), id: newId, at: now(), ...context }));
}

type Facts = ReturnType<typeof sampleFacts>;

/** A sample with its type, in the form that `recordEvent` takes. */
export function sampleEvent(type: EventType, context: Partial<SampleContext> = {}): TypedData {
  return { type, data: sampleData(type, context) } as TypedData;
}

/** One builder for each event type. */
const SAMPLES: { [Type in EventType]: (facts: Facts) => EventData[Type] } = {
  'link.created': ({ at, ...facts }) =>
    PRESENTERS['link.created'](shown(facts, { clicks: 0, lastClickedAt: null, createdAt: at, updatedAt: at })),
  'link.updated': (facts) => {
    const before = facts.link({ destination: 'https://www.example.com/soon', title: 'Soon' });
    const after = facts.link({ id: before.id, updatedAt: facts.at });
    const link = presentLink(after, [...facts.tags, 'spring']);
    return PRESENTERS['link.updated'](link, changesBetween(presentLink(before, facts.tags), link));
  },
  'link.archived': ({ at, ...facts }) => PRESENTERS['link.archived'](shown(facts, { archivedAt: at, updatedAt: at })),
  'link.flagged': ({ at, ...facts }) => {
    const flagReason = 'destination: www.example.com is on a list of harmful sites. (blocklist)';
    return PRESENTERS['link.flagged'](shown(facts, { flagReason, flaggedAt: at, updatedAt: at }), flagReason);
  },
  'link.deleted': (facts) => PRESENTERS['link.deleted'](shown(facts)),
  'links.imported': ({ id }) =>
    PRESENTERS['links.imported']({
      batchId: id('bat'),
      source: 'csv',
      action: 'create',
      counts: { created: 1, updated: 0, skipped: 1, failed: 1 },
      linkIds: [id('lnk')],
    }),
  'link.clicked': (facts) => {
    const link = facts.link();
    return PRESENTERS['link.clicked'](facts.click(link), { ...link, tags: facts.tags });
  },
  'app.installed': ({ id, at, installId, ...facts }) =>
    PRESENTERS['app.installed']({
      install: {
        id: id('ins'),
        installId,
        platform: 'android',
        appVersion: '1.4.0',
        osVersion: '15',
        firstOpenedAt: at,
      },
      match: facts.match('referrer'),
      clickId: id('clk'),
      link: facts.link(),
    }),
  'app.opened': ({ installId, ...facts }) =>
    PRESENTERS['app.opened']({
      openId: '0193a7c4-7d2e-7b0c-9f51-2c8e6a4d1b30',
      installId,
      platform: 'ios',
      direct: true,
      match: facts.match('link'),
      link: facts.link(),
    }),
  'app.event': ({ at, installId, ...facts }) =>
    PRESENTERS['app.event']({
      event: {
        id: 'order-1001',
        name: 'purchase',
        occurredAt: at,
        value: 29.9,
        currency: 'EUR',
        properties: { items: 2 },
        outlier: false,
      },
      installId,
      link: facts.link(),
    }),
  'health.failed': (facts) => PRESENTERS['health.failed']([facts.check('fail')]),
  'health.recovered': (facts) => PRESENTERS['health.recovered']([facts.check('pass')]),
  'domain.verified': (facts) => PRESENTERS['domain.verified'](facts.domain()),
  'alert.created': (facts) => PRESENTERS['alert.created'](facts.alert()),
};

/** The presented sample link with some fields changed. */
function shown({ link, tags }: Pick<Facts, 'link' | 'tags'>, more: Partial<LinkFacts> = {}): PresentedLink {
  return presentLink(link(more), tags);
}
