const BYTES = 32;
/** Pairs of hex digits, with or without colons, with nothing of the kind around them: neither a part of a longer hash. */
const HASH =
  /(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])|(?<![0-9A-Fa-f])[0-9A-Fa-f]{64}(?![0-9A-Fa-f])/g;

/** The SHA-256 fingerprints in what somebody pasted from keytool or the Play Console, as the API takes them. */
export function fingerprintsIn(text: string): string[] {
  const found = [...text.matchAll(HASH)].map(([hash]) => hash.replaceAll(':', '').toUpperCase());
  const pairs = found.map((hex) => hex.match(/../g) ?? []).filter(({ length }) => length === BYTES);
  return [...new Set(pairs.map((bytes) => bytes.join(':')))];
}

/** The id in the URL of an app in the App Store; what is no such URL stays as it is. */
export function appStoreIdIn(text: string): string {
  return /(?:^|\/)id(\d{5,15})(?=$|[?/#])/i.exec(text.trim())?.[1] ?? text.trim();
}
