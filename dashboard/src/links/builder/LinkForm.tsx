import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type FieldProblem, pathOf } from '../../kernel/GraphqlError.ts';
import { t, withTexts } from '../../texts/index.ts';
import { fieldMessage } from '../../ui/formErrors.ts';
import { dialogOnDemand, onDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';
import { Problems } from '../../ui/Problems.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { type Draft, parsedData, problemAt } from './draft.ts';
import styles from './LinkForm.module.css';
import { MainFields } from './MainFields.tsx';
import { messagesOf, refusedFields } from './refusals.ts';
import { useDraftCheck, type Visitor, visibleProblems } from './useDraftCheck.ts';
import { usePageMetadata } from './usePageMetadata.ts';

const NO_FIELDS: FieldProblem[] = [];

// Where a link leads and is comes first. The preview has nothing to show until somebody has written.
const loadSections = withTexts('linkParts', () => import('./Sections.tsx'));
const loadPreviewPanel = withTexts('linkParts', () => import('./PreviewPanel.tsx'));
const Sections = onDemand(() => loadSections().then(({ Sections }) => Sections), {
  fallback: <LoadingRows rows={10} />,
});
const PreviewPanel = onDemand(() => loadPreviewPanel().then(({ PreviewPanel }) => PreviewPanel), {
  fallback: <LoadingRows />,
});
const PreviewDrawer = dialogOnDemand(
  () => import('./PreviewDrawer.tsx').then(({ PreviewDrawer }) => PreviewDrawer),
  ({ isOpen }) => isOpen,
);

/** What each part of the form gets. */
export interface FieldsProps {
  draft: Draft;
  change: (changed: Partial<Draft>) => void;
  /** What is wrong with the field at this path of the input. */
  problemOf: (path: string) => string | undefined;
  /** Whether anything at or below one of these paths is wrong. */
  hasProblem: (...paths: string[]) => boolean;
}

export interface SavedLink {
  id: string;
  domain: string;
  slug: string;
  clicks: number;
  passwordProtected: boolean;
}

interface LinkFormProps {
  draft: Draft;
  change: (changed: Partial<Draft>) => void;
  /** Null: the link is new. */
  saved: SavedLink | null;
  /** Why the last try to save was refused; null once something was changed since. */
  refusal: Error | null;
  isSaving: boolean;
  onSave: () => void;
}

/** The form of a link, with what the server says to it and what visitors would get, while it is written. */
export function LinkForm({ draft, change, saved, refusal, isSaving, onSave }: LinkFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [visitor, setVisitor] = useState<Visitor>({ platform: 'ios' });
  const [isPreviewOpen, preview] = useDisclosure(false);
  const { check, isCurrent } = useDraftCheck(draft, saved?.id ?? null, visitor);
  const page = usePageMetadata(draft.destination);
  const refused = refusal ? refusedFields(refusal) : NO_FIELDS;
  // A refusal names all that is wrong, and the check repeats it.
  const problems = refused.length > 0 ? refused : visibleProblems(check?.problems ?? [], draft, isSubmitted);
  const summary = isSubmitted && problems.length > 0 ? [t.builder.problems(problems.length)] : [];
  // What the server alone could find, or found before the check had come.
  useEffect(() => {
    if (refused[0]) focusField(form.current, pathOf(refused[0]));
  }, [refused]);
  const fields: FieldsProps = {
    draft,
    change,
    problemOf: (path) => {
      const problem = problemAt(problems, path);
      return problem && fieldMessage(problem);
    },
    hasProblem: (...paths) =>
      problems.some((problem) =>
        paths.some((path) => pathOf(problem) === path || pathOf(problem).startsWith(`${path}.`)),
      ),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (parsedData(draft.data) === null) return focusField(form.current, 'data');
    // An answer to an earlier state must not hold up what was written since: the server checks again what it saves.
    const [first] = isCurrent ? (check?.problems ?? []) : [];
    if (first) return focusField(form.current, pathOf(first));
    if (!isSaving) onSave();
  };
  const panel = <PreviewPanel draft={draft} check={check} page={page} visitor={visitor} setVisitor={setVisitor} />;
  return (
    <div className={styles.columns}>
      <form ref={form} onSubmit={submit} noValidate>
        <Card isFlush>
          <MainFields {...fields} check={check} saved={saved} />
          <Sections {...fields} page={page} saved={saved} />
          <div className={styles.foot}>
            <Problems messages={[...summary, ...(refusal ? messagesOf(refusal) : [])]} />
            <Button type="submit" loading={isSaving}>
              {saved ? t.builder.save : t.builder.create}
            </Button>
            <Button variant="default" className={styles.openPreview} onClick={preview.open}>
              {t.builder.preview.open}
            </Button>
            <span className={styles.keys}>{t.builder.keys}</span>
          </div>
        </Card>
      </form>
      <aside className={styles.preview} aria-label={t.builder.preview.title}>
        {panel}
      </aside>
      <PreviewDrawer isOpen={isPreviewOpen} onClose={preview.close}>
        {panel}
      </PreviewDrawer>
    </div>
  );
}

/** Opens the section of a field and focuses it: the field itself, or the nearest that stands for a part of it. */
function focusField(form: HTMLElement | null, path: string): void {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const field = form?.querySelector<HTMLElement>(`[data-path="${CSS.escape(parts.slice(0, length).join('.'))}"]`);
    if (!field) continue;
    field.closest('details')?.setAttribute('open', '');
    field.focus();
    return;
  }
}
