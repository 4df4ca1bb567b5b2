/** What other features may use of links. */
export { QrPicture } from './QrDesigner.tsx';
