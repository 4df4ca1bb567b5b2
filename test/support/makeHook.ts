import type { Api } from './api.ts';
import { until } from './until.ts';
import { walk } from './walk.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into every field
type Shown = any;

/** A webhook with what tests ask of it through REST. */
export interface Hook {
  id: string;
  secret: string;
  /** As GET shows it. */
  shown(): Promise<Shown>;
  /** Its deliveries, all pages. */
  deliveries(query?: Record<string, string>): Promise<Shown[]>;
  delivery(id: string): Promise<Shown>;
  /** Waits until exactly `count` deliveries are as wanted, and gives them. */
  untilDeliveries(count: number, wanted: (delivery: Shown) => boolean, what: string): Promise<Shown[]>;
  /** Waits until the webhook shows these values. */
  untilShows(values: Record<string, unknown>, withinMs?: number): Promise<Shown>;
  /** POST to one of its actions. */
  act(word: string, body?: object): Promise<Shown>;
  /** What is due is looked for now and not with the next sweep: after the clock was moved. */
  nudge(): Promise<void>;
}

/** Makes a webhook; throws when it is refused. */
export async function makeHook(api: Api, body: { url: string } & Record<string, unknown>): Promise<Hook> {
  const { status, body: made } = await api('POST', '/webhooks', { event_types: ['link.created'], ...body });
  if (status !== 201) throw new Error(JSON.stringify(made));
  const path = `/webhooks/${made.id}`;
  const hook: Hook = {
    id: made.id,
    secret: made.secret,
    shown: async () => (await api('GET', path)).body,
    deliveries: (query = {}) => walk(api, `${path}/deliveries`, { limit: '100', ...query }),
    delivery: async (id) => (await api('GET', `/deliveries/${id}`)).body,
    untilDeliveries: (count, wanted, what) =>
      until(async () => {
        const found = (await hook.deliveries()).filter(wanted);
        return found.length === count ? found : null;
      }, what),
    untilShows: (values, withinMs) =>
      until(
        async () => {
          const shown = await hook.shown();
          return Object.entries(values).every(([name, value]) => shown[name] === value) && shown;
        },
        JSON.stringify(values),
        withinMs,
      ),
    act: (word, input) => api('POST', `${path}/${word}`, input),
    nudge: async () => void (await api('PATCH', path, { description: 'D' })),
  };
  return hook;
}
