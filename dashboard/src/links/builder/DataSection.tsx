import { Progress, Textarea } from '@mantine/core';
import { formatBytes } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { parsedData } from './draft.ts';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';

/** As the API has it. */
const MAX_BYTES = 16 * 1024;

/** Custom data that the app gets. */
export function DataSection({ draft, change, problemOf, hasProblem }: FieldsProps) {
  const data = parsedData(draft.data);
  const count = Object.keys(data ?? {}).length;
  const bytes = new TextEncoder().encode(draft.data).length;
  return (
    <Section
      title={t.linkParts.sections.data}
      summary={count > 0 ? t.linkParts.data.used(count) : null}
      hasProblem={hasProblem('data') || data === null || bytes > MAX_BYTES}
    >
      <Textarea
        label={t.linkParts.data.label}
        description={t.linkParts.data.about}
        placeholder={'{"product": 42}'}
        rows={3}
        spellCheck={false}
        data-path="data"
        value={draft.data}
        error={
          data === null ? t.linkParts.data.broken : bytes > MAX_BYTES ? t.linkParts.data.tooLarge : problemOf('data')
        }
        onChange={(event) => change({ data: event.currentTarget.value })}
      />
      <Progress
        aria-label={t.linkParts.data.meter}
        color={bytes > MAX_BYTES ? 'red' : undefined}
        size="sm"
        value={Math.min(100, (100 * bytes) / MAX_BYTES)}
      />
      <p className={styles.hint}>{t.linkParts.data.size(formatBytes(bytes), formatBytes(MAX_BYTES))}</p>
    </Section>
  );
}
