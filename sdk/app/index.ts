export { init } from './init.ts';
export { SvcError, type SvcErrorCode } from './SvcError.ts';
export type {
  FetchLike,
  LinkListener,
  OpenDetails,
  OpenResult,
  SvcClient,
  SvcLink,
  SvcMatch,
  SvcOptions,
  SvcStorage,
  TrackOptions,
} from './types.ts';
