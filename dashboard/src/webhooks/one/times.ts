/** The instant of what an address or a field of local time holds, in ISO; null for nothing and for what is no time. */
export function instantOf(text: string | undefined): string | null {
  const time = text ? new Date(text) : null;
  return time && !Number.isNaN(time.getTime()) ? time.toISOString() : null;
}

/** A time as a field of local time holds it, to the minute. */
export function localText(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
