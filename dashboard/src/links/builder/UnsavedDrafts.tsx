import { ActionIcon, Alert, Button } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { IconClose } from '../../ui/icons.ts';
import { Time } from '../../ui/Time.tsx';
import type { KeptDraft } from './newDrafts.ts';
import styles from './UnsavedDrafts.module.css';

interface UnsavedDraftsProps {
  /** Whether the form shows what was entered before. */
  isRestored: boolean;
  others: readonly KeptDraft[];
  onFresh: () => void;
  onDiscard: () => void;
  onOpen: (slot: string) => void;
  onDrop: (slot: string) => void;
}

/** Links that were begun before: the one that the form shows, and the others to go on with. */
export function UnsavedDrafts({ isRestored, others, onFresh, onDiscard, onOpen, onDrop }: UnsavedDraftsProps) {
  return (
    <Alert color="blue" variant="light">
      {isRestored ? (
        <div className={styles.row}>
          <span>{t.common.draftRestored}</span>
          <Button size="compact-sm" variant="subtle" onClick={onFresh}>
            {t.linkParts.drafts.fresh}
          </Button>
          <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
            {t.common.discard}
          </Button>
        </div>
      ) : null}
      {others.length > 0 ? (
        <>
          <p className={styles.title}>{t.linkParts.drafts.title}</p>
          <ul className={styles.list}>
            {others.map(({ slot, at, draft }) => {
              const name = draft.title || draft.destination || draft.slug || t.linkParts.drafts.nameless;
              return (
                <li key={slot} className={styles.row}>
                  <Button size="compact-sm" variant="subtle" className={styles.open} onClick={() => onOpen(slot)}>
                    {name}
                  </Button>
                  <Time at={at} />
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={t.linkParts.drafts.drop(name)}
                    onClick={() => onDrop(slot)}
                  >
                    <IconClose size={14} />
                  </ActionIcon>
                </li>
              );
            })}
          </ul>
        </>
      ) : null}
    </Alert>
  );
}
