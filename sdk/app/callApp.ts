import { SvcError } from './SvcError.ts';

/** Calls a function of the app, whose bugs are not to stop anything here; undefined if it throws. */
export async function callApp<Result>(
  callback: () => Result,
  tell: (error: SvcError) => void,
): Promise<Awaited<Result> | undefined> {
  try {
    return await callback();
  } catch (error) {
    tell(new SvcError('callback_failed', `A function of the app failed: ${error}`));
    return undefined;
  }
}
