/** What other features may use of analytics. */
export { AnalyticsView } from './AnalyticsView.tsx';
export { LiveClicks } from './LiveClicks.tsx';
export type { AnalyticsSearch } from './query.ts';
