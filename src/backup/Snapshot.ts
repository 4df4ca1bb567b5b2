import type { Manifest } from './manifest.ts';

/** What a copy of a store says about itself. */
export type Snapshot = Pick<Manifest, 'migrations' | 'counts' | 'pending'>;

/** Hears how far a part is: a share between 0 and 1. */
export type Progress = (part: string, share: number) => void;
