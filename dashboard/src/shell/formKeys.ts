/*
 * What the keys of forms need. The first page does not wait for it: it is loaded later, in one request.
 */
export { keepFocus } from './keepFocus.ts';
export { saveByKey } from './saveByKey.ts';
