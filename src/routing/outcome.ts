/** The visitor goes on. */
export interface Redirect {
  readonly kind: 'redirect';
  /** Safe in a Location header: ASCII without controls. */
  readonly destination: string;
  /** Name of the rule or split entry that chose it; null: the link's own destination. */
  readonly rule: string | null;
  /** The chosen destination as its owner wrote it, without anybody's parameters: what clicks are grouped by. */
  readonly configured: string;
}

export interface Expired {
  readonly kind: 'expired';
  /** The link's own; null: the domain's, or a page. */
  readonly destination: string | null;
}

/** Where a request for a link leads. Passwords, previews and apps are asked about after a `redirect`. */
export type Outcome = Redirect | Expired | { readonly kind: 'not_found' } | { readonly kind: 'flagged' };
