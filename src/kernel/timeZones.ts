/** Whether it is the name of a time zone as `Europe/Berlin`; offsets are none. */
export function isTimeZone(name: string): boolean {
  return canonicalZone(name) !== null && !/^[+-]/.test(name);
}

/** The one name of a zone that may have several; null for what is none. */
export function canonicalZone(name: string): string | null {
  try {
    return name ? new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone : null;
  } catch {
    return null;
  }
}
