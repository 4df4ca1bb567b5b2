import { withTexts } from '../texts/index.ts';
import type { ManagedNoteProps } from './ManagedNote.tsx';
import { onDemand } from './onDemand.tsx';

const load = withTexts('managed', () => import('./ManagedNote.tsx'));
const Note = onDemand<ManagedNoteProps>(() => load().then(({ ManagedNote }) => ManagedNote));

/** What manages a thing, loaded where there is something to say; nothing for what people alone manage. */
export function ManagedBy({ managedBy, look }: Omit<ManagedNoteProps, 'managedBy'> & { managedBy: string | null }) {
  return managedBy === null ? null : <Note managedBy={managedBy} {...(look ? { look } : {})} />;
}
