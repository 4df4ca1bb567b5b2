export { keepFocus } from './keepFocus.ts';
export { saveByKey } from './saveByKey.ts';
