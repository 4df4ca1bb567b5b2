import { linkDomainsAmong } from './linkDomainsAmong.ts';
import { type ScannedUrl, type ScanResult, scanMany } from './scanMany.ts';

/**
 * Scans as `scanMany`, with the link domains of all projects known for what they are. `alsoLinkDomains` will be some, though
 * the store does not know it yet.
 */
export async function scanUrls(sets: ScannedUrl[][], alsoLinkDomains: string[] = []): Promise<ScanResult[]> {
  return scanMany(sets, { linkDomains: [...alsoLinkDomains, ...(await linkDomainsAmong(sets.flat()))] });
}
