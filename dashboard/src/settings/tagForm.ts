import { recordForm, requiredText, text } from '../kernel/recordForm.ts';

/** Name and colour of a tag. */
export const tagForm = recordForm({ name: requiredText, color: text });
