/** How late a machine with much to do may be: bounds that something ends at all are wider by so much. */
export const LATE_MS = 10_000;
