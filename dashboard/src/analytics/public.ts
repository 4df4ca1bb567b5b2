/** What other features may use of analytics. */
export { AnalyticsView } from './AnalyticsView.tsx';
export { barsOf } from './bars.ts';
export { FigureList, revenueFigures } from './Figures.tsx';
export { LiveClicks } from './LiveClicks.tsx';
export { MarkedHours } from './MarkedHours.tsx';
export { nameOf } from './names.ts';
export { type AnalyticsSearch, comparesOf, rangeOf, zoneOf } from './query.ts';
export { RangeChoice, ZoneChoice } from './RangeChoice.tsx';
