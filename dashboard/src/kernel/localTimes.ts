const HAS_ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * A moment as `<input type="datetime-local">` has it, in the zone of the browser, with the seconds that it has. What was typed
 * into such a field has no zone, and stays as it is.
 */
export function localTime(moment: string): string {
  if (!HAS_ZONE.test(moment)) return moment;
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString();
  return local.replace(/^\+0*/, '').replace(/(?:(?::00)?\.000)?Z$/, '');
}

/** The moment that was typed, for the API; what is not one stays as it is, for the API to refuse. */
export function momentOf(typed: string): string {
  const date = new Date(typed);
  return Number.isNaN(date.getTime()) ? typed : date.toISOString();
}
