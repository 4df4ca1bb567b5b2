import { type FormOf, recordForm, requiredText, text } from '../kernel/recordForm.ts';

const FIELDS = { name: requiredText, color: text };

export const tagForm = recordForm(FIELDS);

export type TagDraft = FormOf<typeof FIELDS>;
