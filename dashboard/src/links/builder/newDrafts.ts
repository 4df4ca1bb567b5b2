import { readDraft, writeDraft } from '../../kernel/storage.ts';
import type { DraftStore } from '../../kernel/useFormDraft.ts';
import { type Draft, withoutPassword } from './draft.ts';

/** A link that was begun and not saved. */
export interface KeptDraft {
  /** What tells it from the others of its project. */
  slot: string;
  at: string;
  draft: Draft;
}

const MAX_KEPT = 5;

/** The links of a project that were begun in this tab and not saved, the newest first. */
export function keptDrafts(projectId: string): KeptDraft[] {
  return (readDraft(nameOf(projectId)) as KeptDraft[] | null) ?? [];
}

/** Where the form of one of them is kept. The oldest gives way when there are too many. */
export function newDraftStore(projectId: string, slot: string): DraftStore<Draft> {
  const others = () => keptDrafts(projectId).filter((kept) => kept.slot !== slot);
  return {
    isWhole: true,
    read: () => keptDrafts(projectId).find((kept) => kept.slot === slot)?.draft ?? null,
    write: (draft) => {
      const own =
        draft === null ? [] : [{ slot, at: new Date().toISOString(), draft: withoutPassword(draft as Draft) }];
      const kept = [...own, ...others()].slice(0, MAX_KEPT);
      writeDraft(nameOf(projectId), kept.length > 0 ? kept : null);
    },
  };
}

/** A slot that no other draft has. */
export function freshSlot(): string {
  return `at ${Date.now()}`;
}

function nameOf(projectId: string): string {
  return `links.new.${projectId}`;
}
