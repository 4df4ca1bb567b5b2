import { snakeCase } from '../../kernel/snakeCase.ts';
import { scanUrls } from '../../scan/scanUrls.ts';
import { DESTINATIONS, type DomainInput } from './domainInput.ts';

/** Scans the destinations that are sent, as those of links. Throws `destination_refused`. */
export async function scanDestinations(hostname: string, input: DomainInput): Promise<void> {
  const urls = DESTINATIONS.flatMap((field) => {
    const url = input[field];
    return url ? [{ path: snakeCase(field), url }] : [];
  });
  if (urls.length === 0) return;
  // Before it is verified nobody knows it for a link domain: it would lead to itself.
  const [result] = await scanUrls([urls], [hostname]);
  if (result?.refusal) throw result.refusal;
}
