import type { Proof } from './proof.ts';

/** What one look at a domain found. */
export interface Finding {
  proofs: Proof[];
  /** Without a proof: what was found instead and what to do, as sentences. */
  problem: string;
  /** There is no proof, but a fault of ours may be why: it says nothing about the domain. */
  isOurFault: boolean;
  seen: Seen;
}

/** What stood at each place that a look asks, as it is kept for people to read. Null: not asked, or nobody answered. */
export interface Seen {
  txt: string[] | null;
  /** What the name is an alias of. */
  alias: string[] | null;
  addresses: string[] | null;
  file: string[] | null;
  /** The name leads here. */
  isRouted: boolean;
}

export const NOTHING_SEEN: Seen = { txt: null, alias: null, addresses: null, file: null, isRouted: false };
