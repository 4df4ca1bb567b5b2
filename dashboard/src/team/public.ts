export { LeaveSurvivalMode } from './LeaveSurvivalMode.tsx';
