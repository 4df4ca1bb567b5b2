import { type ReactNode, useState } from 'react';
import { t } from '../../texts/index.ts';
import { IconChevronRight } from '../../ui/icons.ts';
import styles from './Section.module.css';

interface SectionProps {
  title: string;
  /** What is set, in a few words; null: nothing. */
  summary: string | null;
  hasProblem: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/** A part of the form that is closed until it is used, and says what is set while it is closed. A problem opens it. */
export function Section({ title, summary, hasProblem, onOpen, children }: SectionProps) {
  // It stays open when the problem is gone: somebody is writing in it.
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles.section}
      open={isOpen || hasProblem}
      onToggle={({ currentTarget: { open } }) => {
        setIsOpen(open);
        if (open) onOpen?.();
      }}
    >
      <summary className={styles.summary}>
        <IconChevronRight size={16} className={styles.arrow} aria-hidden />
        <span className={styles.title}>{title}</span>
        <span className={styles.state} data-set={summary !== null || undefined}>
          {summary ?? t.linkParts.sections.unused}
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
