import { type FormOf, recordForm, text } from '../kernel/recordForm.ts';

const FIELDS = { rootDestination: text, notFoundDestination: text, expiredDestination: text };

/** Where a domain sends visitors for whom there is no link. */
export const destinationsForm = recordForm(FIELDS);

export type DestinationsDraft = FormOf<typeof FIELDS>;
