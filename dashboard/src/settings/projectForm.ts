import { type FormOf, flag, number, recordForm, requiredText, text } from '../kernel/recordForm.ts';

const FIELDS = {
  name: requiredText,
  defaultDomain: text,
  matchWindowSeconds: number,
  probabilisticMatching: flag(true),
  maxEventValue: number,
};

/** The settings of a project; its apps have forms of their own. */
export const projectForm = recordForm(FIELDS);

export type ProjectDraft = FormOf<typeof FIELDS>;
