import type { LinkInput } from './linkInput.ts';

interface Destination {
  /** Where it stands in the input, as on the wire. */
  path: string;
  url: string;
}

/** Every URL in the input that a visitor can be sent to. */
export function destinationsOf(input: LinkInput): Destination[] {
  const found: Destination[] = [];
  const add = (path: string, url: unknown) => {
    if (typeof url === 'string') found.push({ path, url });
  };
  add('destination', input.destination);
  add('expired_destination', input.expiredDestination);
  const routing = (input.routing ?? {}) as Routing;
  routing.rules?.forEach((rule, index) => {
    add(`routing.rules.${index}.destination`, rule.destination);
  });
  routing.split?.forEach((entry, index) => {
    add(`routing.split.${index}.destination`, entry.destination);
  });
  for (const platform of ['ios', 'android'] as const) {
    const fallback = routing[platform]?.fallback;
    if (fallback !== 'store') add(`routing.${platform}.fallback`, fallback);
  }
  return found;
}

/** The same, and every URL that visitors' programs load: what is scanned. */
export function urlsOf(input: LinkInput): Destination[] {
  const image = input.preview?.imageUrl;
  return [...destinationsOf(input), ...(image ? [{ path: 'preview.image_url', url: image }] : [])];
}

interface Routing {
  rules?: { destination?: string }[];
  split?: { destination?: string }[];
  ios?: { fallback?: string } | null;
  android?: { fallback?: string } | null;
}
