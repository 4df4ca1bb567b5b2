import type { Click } from '../../src/clicks/click.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { makeClick } from './clicks.ts';

/** Numbers that look random and are the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

interface Sample {
  projectId: string;
  links: readonly { id: string; slug: string }[];
  tagIds: readonly string[];
  /** The first of `days` UTC days. */
  fromMs: number;
  days: number;
  count: number;
}

/** Clicks in which every dimension has known and unknown keys, some visitors come twice, and some texts need quoting. */
export function sampleClicks({ projectId, links, tagIds, fromMs, days, count }: Sample): Click[] {
  const next = sequence(7);
  const pick = <Value>(values: readonly Value[]) => values[next(values.length)] as Value;
  return Array.from({ length: count }, () => {
    const link = pick(links);
    const occurredAt = fromMs + next(days) * DAY_MS + next(DAY_MS);
    const reason = pick([null, null, null, 'bot', 'burst', 'prefetch']);
    return makeClick({
      projectId,
      id: newId('clk'),
      linkId: link.id,
      slug: link.slug,
      domain: pick(['go.example.com', 'l.example.org']),
      occurredAt,
      trafficClass: pick(reason === null ? ['human'] : reason === 'prefetch' ? ['prefetch'] : ['bot', 'scanner']),
      trafficReason: reason,
      country: pick(['DE', 'AT', 'FR', null]),
      region: pick(['BY', null]),
      city: pick(['Wien', "L'Aquila", 'Zürich', null]),
      platform: pick(['ios', 'android', 'macos']),
      device: pick(['mobile', 'desktop']),
      browser: pick(['Firefox', 'Chrome', null]),
      language: pick(['de', 'en', null]),
      referrerHost: pick(['t.co', 'news.example.com', null]),
      destination: pick(['https://example.com/a', 'https://example.com/?q=\\"b\\"', null]),
      rule: pick(['first', null]),
      utm: pick([{ source: 'news', medium: 'mail' }, { campaign: 'spring', term: null }, null]),
      tagIds: tagIds.filter(() => next(2) === 0),
      visitor: `visitor-${next(40)}`,
      addressHash: `address-${next(20)}`,
    });
  }).sort((a, b) => a.occurredAt - b.occurredAt);
}
