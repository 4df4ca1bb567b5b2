/** Whoever signs in or up, as far as the request tells. */
export interface Client {
  /** For throttling alone; it is stored nowhere. */
  address: string;
  /** Its User-Agent header. */
  userAgent: string | undefined;
}
