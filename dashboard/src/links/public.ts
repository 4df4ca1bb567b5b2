/** What other features may use of links. */
export { LinkSelect } from './LinkSelect.tsx';
export { setCompact, useListLook } from './listLook.ts';
export { QrPicture } from './QrDesigner.tsx';
