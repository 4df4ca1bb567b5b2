import { sha256 } from '../kernel/secrets.ts';
import type { Finding, ScannedUrl } from './scanMany.ts';

/** What a flag says, as `flag_reason` shows it. */
export function reasonOf({ path, check, problem }: Finding): string {
  return `${path}: ${problem} (${check.name})`;
}

/** Tells one finding about a link from another: it changes with the reason and with each URL of the link. */
export function verdictOn(urls: ScannedUrl[], reason: string | null): string {
  return sha256(JSON.stringify([reason, fingerprintOf(urls)]));
}

/** Changes with each URL of the link, so that nothing is done about URLs that are no longer there. */
export function fingerprintOf(urls: ScannedUrl[]): string {
  return sha256(JSON.stringify(urls.map(({ path, url }) => [path, url]).sort()));
}
