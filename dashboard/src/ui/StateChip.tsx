import type { ReactNode } from 'react';
import {
  type Icon,
  IconAlert,
  IconArchive,
  IconCheck,
  IconClock,
  IconClose,
  IconFlag,
  IconInfo,
  IconMinus,
  IconPause,
  IconRefresh,
} from './icons.ts';
import styles from './StateChip.module.css';

export type Tone = 'good' | 'warn' | 'alarm' | 'soft' | 'accent';

/** How each state looks, in every list and page. The words are in `texts/<language>/states.ts`. */
export const LOOKS = {
  link: {
    active: { tone: 'good', icon: IconCheck },
    scheduled: { tone: 'accent', icon: IconClock },
    expired: { tone: 'soft', icon: IconMinus },
    archived: { tone: 'soft', icon: IconArchive },
    flagged: { tone: 'alarm', icon: IconFlag },
  },
  delivery: {
    pending: { tone: 'accent', icon: IconClock },
    succeeded: { tone: 'good', icon: IconCheck },
    failed: { tone: 'alarm', icon: IconClose },
    cancelled: { tone: 'soft', icon: IconMinus },
  },
  webhook: {
    on: { tone: 'good', icon: IconCheck },
    held: { tone: 'warn', icon: IconPause },
    off: { tone: 'alarm', icon: IconClose },
  },
  import: {
    pending: { tone: 'accent', icon: IconClock },
    running: { tone: 'accent', icon: IconRefresh },
    finished: { tone: 'good', icon: IconCheck },
    failed: { tone: 'alarm', icon: IconClose },
    cancelled: { tone: 'soft', icon: IconMinus },
  },
  health: {
    passing: { tone: 'good', icon: IconCheck },
    failing: { tone: 'alarm', icon: IconAlert },
    unknown: { tone: 'soft', icon: IconMinus },
  },
  check: {
    pass: { tone: 'good', icon: IconCheck },
    warn: { tone: 'warn', icon: IconAlert },
    fail: { tone: 'alarm', icon: IconClose },
    skip: { tone: 'soft', icon: IconMinus },
  },
  domain: {
    pending: { tone: 'accent', icon: IconClock },
    verified: { tone: 'good', icon: IconCheck },
    failing: { tone: 'alarm', icon: IconAlert },
  },
  severity: {
    critical: { tone: 'alarm', icon: IconAlert },
    warning: { tone: 'warn', icon: IconAlert },
    info: { tone: 'accent', icon: IconInfo },
  },
  alert: {
    open: { tone: 'alarm', icon: IconAlert },
    acknowledged: { tone: 'warn', icon: IconCheck },
    resolved: { tone: 'good', icon: IconCheck },
  },
  match: {
    certain: { tone: 'good', icon: IconCheck },
    likely: { tone: 'accent', icon: IconCheck },
    none: { tone: 'soft', icon: IconMinus },
  },
} as const satisfies Record<string, Record<string, Look>>;

interface Look {
  tone: Tone;
  icon: Icon;
}

interface StateChipProps {
  look: Look;
  children: ReactNode;
}

/** A state in words, with a colour and an icon: it is never told by colour alone. */
export function StateChip({ look: { tone, icon: Icon }, children }: StateChipProps) {
  return (
    <span className={styles.chip} data-tone={tone}>
      <Icon size={13} stroke={2} aria-hidden />
      <span className={styles.word}>{children}</span>
    </span>
  );
}

interface ChipProps {
  children: ReactNode;
  tone?: Tone;
  /** Several words, which may take more than one line. */
  isSentence?: boolean;
}

/** A short word in a frame, such as a tag. */
export function Chip({ children, tone = 'soft', isSentence = false }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone} data-sentence={isSentence || undefined}>
      <span className={styles.word}>{children}</span>
    </span>
  );
}
