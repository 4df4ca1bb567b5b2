// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MadeLink } from '../../support/createLink.ts';
import { useInstalls } from '../../support/installs.ts';
import { IPHONE, newAddress, PIXEL, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';

const SAFARI = String(IPHONE.headers['User-Agent']);
const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const PIXEL_8 = String(PIXEL.headers['User-Agent']);
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
/** Of a network in Germany. */
const GERMAN = '84.128.0.';
const OPEN = { platform: 'ios', os_version: '18.1', device_model: 'iPhone17,3', language: 'de-DE' };

interface Case {
  agent?: string;
  language?: string;
  seconds?: number;
  open?: object;
  from?: string;
  /** Of the link. */
  window?: number;
  /** Somebody else, on another link or on the same. */
  other?: { agent: string; isSameLink: boolean };
}

/** What people and apps may be like, and how that is called. */
const CASES: Record<string, Case> = {
  'alike in everything': {},
  'alike, an hour ago': { seconds: 3600 },
  'older than the window': { seconds: 3601 },
  'within the window of its link': { seconds: 7000, window: 7200 },
  'older than the window of its link': { seconds: 61, window: 60 },
  'another version of the system': { agent: SAFARI.replace('18_1', '17_2').replace('18.1', '17.2') },
  'another language': { language: 'en-GB' },
  'no language, and 9 minutes ago': { language: '', seconds: 540 },
  'a related language': { language: 'de-AT' },
  'a browser that tells nothing of the phone': {
    agent: CHROME,
    open: { platform: 'android', os_version: '15', device_model: 'Pixel 9' },
  },
  'the same, half an hour ago': {
    agent: CHROME,
    seconds: 1800,
    open: { platform: 'android', os_version: '15', language: null },
  },
  'a phone by its model': { agent: PIXEL_8, open: { platform: 'android', os_version: '14', device_model: 'Pixel 8' } },
  'another model': { agent: PIXEL_8, open: { platform: 'android', os_version: '14', device_model: 'Pixel 9' } },
  'another platform': { agent: PIXEL_8 },
  'a click at a desk': { agent: WINDOWS },
  'a zone of its country': { from: `${GERMAN}1`, open: { timezone: 'Europe/Berlin' } },
  'a zone of another country': { from: `${GERMAN}2`, open: { timezone: 'Asia/Tokyo' }, seconds: 600 },
  'a person who said no': { open: { consent: false } },
  'an app in a browser': { open: { platform: 'web' } },
  'a network that many share': { from: '203.0.113.7' },
  'somebody else on another link': { other: { agent: `${SAFARI} X`, isSameLink: false } },
  'somebody else with another phone on another link': { other: { agent: CHROME, isSameLink: false } },
  'somebody else on the same link': { other: { agent: `${SAFARI} X`, isSameLink: true } },
};

describe('a simulated match is what is found of the same in earnest:', () => {
  const { world, sdk, makeLink, explain, simulate } = useInstalls({ SHARED_NETWORKS: '203.0.113.0/24' });

  for (const [
    name,
    { agent = SAFARI, language = 'de-DE', seconds = 0, open, window, other, ...more },
  ] of Object.entries(CASES))
    it(name, async () => {
      const time = stopClock();
      const { from = newAddress() } = more;
      const links: MadeLink[] = [await makeLink({ match_window_seconds: window ?? null }), await makeLink()];
      const otherLink = links[other?.isSameLink ? 0 : 1] as MadeLink;
      const clickBy = (userAgent: string, link: MadeLink) =>
        visit(world(), link, {
          from,
          phone: { headers: { 'User-Agent': userAgent, 'Accept-Language': language }, device: {} },
        });
      await clickBy(agent, links[0] as MadeLink);
      if (other) await clickBy(other.agent, otherLink);
      time.move(seconds);
      const installId = randomUUID();
      const app = { ...OPEN, ...open };
      const { body: answer } = await sdk().open({ install_id: installId, ...app }, { from });
      const real = await explain(installId);
      const clicks = [agent, ...(other ? [other.agent] : [])].map((user_agent, at) => ({
        ...{ user_agent, accept_language: language, address: from, seconds_before: seconds },
        link: at === 0 ? links[0]?.id : otherLink.id,
      }));
      const made = await simulate({
        click: clicks[0],
        other_clicks: clicks.slice(1),
        open: { ...app, address: from },
      });
      expect(made.match).to.deep.equal(answer.match);
      const inOrder = ({ candidates }: { candidates: { click_id: string; score: number }[] }) =>
        candidates.map(({ click_id: _, ...candidate }) => JSON.stringify(candidate)).sort();
      expect(inOrder(made)).to.deep.equal(inOrder(real));
      const rest = ({ install_id: _1, click_id: _2, candidates: _3, ...report }: Record<string, unknown>) => report;
      expect(rest(made)).to.deep.equal(rest(real));
      expect([made.install_id, made.click_id !== null]).to.deep.equal([null, real.click_id !== null]);
    });
});
