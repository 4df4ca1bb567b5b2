import type { Proof } from './proof.ts';

/** What one look at a domain found. */
export interface Finding {
  proofs: Proof[];
  /** Without a proof: what was found instead and what to do, as sentences. */
  problem: string;
  /** There is no proof, but a fault of ours may be why: it says nothing about the domain. */
  isOurFault: boolean;
}
