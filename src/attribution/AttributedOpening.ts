import type { InstallRow } from './installsStore.ts';
import type { Attribution, Opening } from './Opening.ts';
import type { Revision, StoredOpen } from './opensStore.ts';
import type { UsedClick } from './usedClicksStore.ts';

/** An opening with what it came from, and the rows that follow from that. */
export interface AttributedOpening {
  opening: Opening;
  attribution: Attribution;
  open: StoredOpen;
  install: InstallRow;
  /** The install was unknown before this opening. */
  isUnknown: boolean;
  used: UsedClick[];
  /** Guesses that turned out to be wrong. */
  revised: Revision[];
}
