import type { Bearer } from './Bearer.ts';
import type { ClickEvent, FleetEvent, OpenEvent } from './events.ts';
import { Line } from './Line.ts';
import { type FleetProduct, LINK_HOST } from './startFleetProduct.ts';

/** What an app was answered to its first opening. */
export interface Answer {
  /** The click that it was traced back to; null: none. */
  click: ClickEvent | null;
  method: string;
  factors: string[];
}

interface OpenReply {
  match: { matched: boolean; method: string; clicked_at: string | null; factors: { name: string }[] };
  link: { id: string } | null;
}

/**
 * Lets everything happen to the product in order, at the fleet's time, one request after the other. Clicks are told
 * apart by their moment, which is no other's. `bearer`: phones carry tokens. Throws for an answer that is none of a click of the fleet.
 */
export async function replay(
  { origin, tenants, setTime }: FleetProduct,
  events: readonly FleetEvent[],
  bearer: Bearer | null = null,
): Promise<Map<OpenEvent, Answer>> {
  const line = new Line(origin);
  const clicks = new Map<number, ClickEvent>();
  const answers = new Map<OpenEvent, Answer>();

  const follow = async (click: ClickEvent) => {
    const { address, agent, acceptLanguage, tenant, link } = click;
    const headers = { 'User-Agent': agent, 'Accept-Language': acceptLanguage, 'X-Forwarded-For': address };
    const slug = tenants[tenant].links[link]?.slug;
    const said = await line.ask('GET', `/${slug}`, { Host: LINK_HOST, ...headers });
    if (said.status !== 302) throw new Error(`A click was answered ${said.status}`);
    clicks.set(click.atMs, click);
    const report = bearer?.led(click, said.headers.location ?? '');
    if (report) await line.ask('POST', report.path, { 'X-Forwarded-For': address }, report.body);
  };

  const open = async (opening: OpenEvent) => {
    const { phone, installId, isFirst, address, tenant } = opening;
    const brought = isFirst ? bearer?.brings(opening) : {};
    const body = JSON.stringify({ install_id: installId, first_open: isFirst, ...phone.told, ...brought });
    const headers = { 'Content-Type': 'application/json', 'X-SVC-Key': tenants[tenant].key };
    const said = await line.ask('POST', '/v1/sdk/open', { ...headers, 'X-Forwarded-For': address }, body);
    if (said.status !== 200) throw new Error(`An opening was answered ${said.status}: ${said.text}`);
    if (isFirst) answers.set(opening, read(JSON.parse(said.text)));
  };

  const read = ({ match, link }: OpenReply): Answer => {
    const factors = match.factors.map(({ name }) => name);
    if (!match.matched) return { click: null, method: match.method, factors };
    const click = clicks.get(Date.parse(match.clicked_at ?? ''));
    if (!click || link?.id !== tenants[click.tenant].links[click.link]?.id) {
      throw new Error(`No such click: ${JSON.stringify({ match, link })}`);
    }
    return { click, method: match.method, factors };
  };

  try {
    for (const event of events) {
      setTime(event.atMs);
      await (event.kind === 'click' ? follow(event) : open(event));
    }
  } finally {
    line.close();
  }
  return answers;
}
