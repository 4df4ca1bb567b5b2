import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { recordEvents } from '../../src/services/apps/recordEvents.ts';
import { recordOpen } from '../../src/services/apps/recordOpen.ts';
import { resolveUrl } from '../../src/services/apps/resolveUrl.ts';
import { unmatchedOpen } from '../../src/services/apps/unmatchedOpen.ts';
import type { Context } from '../context.ts';
import { RecordEventsInput, RecordOpenInput, ResolveUrlInput } from './sdkInputs.ts';
import { AppOpenType, RecordedEventsType, ResolvedUrlType } from './sdkTypes.ts';

/** What apps ask, with a publishable key. */
@Resolver()
export class SdkResolver {
  @Mutation(() => AppOpenType, { description: 'An app was opened; with firstOpen, traces it back to a click.' })
  recordOpen(
    @Arg('input', () => RecordOpenInput) input: RecordOpenInput,
    @Ctx() { principal, clientAddress }: Context,
  ): Promise<AppOpenType> {
    return recordOpen(principal, input, clientAddress);
  }

  @Query(() => AppOpenType, { description: 'The answer to an app that asks too often: nothing was looked for.' })
  unmatchedOpen(): AppOpenType {
    return unmatchedOpen('rate_limited');
  }

  @Query(() => ResolvedUrlType, { description: 'The link of a URL; counts nothing.' })
  resolveUrl(
    @Arg('input', () => ResolveUrlInput) { url }: ResolveUrlInput,
    @Ctx() { principal }: Context,
  ): Promise<ResolvedUrlType> {
    return resolveUrl(principal, url);
  }

  @Mutation(() => RecordedEventsType, { description: 'What happened in an app.' })
  recordEvents(
    @Arg('input', () => RecordEventsInput) input: RecordEventsInput,
    @Ctx() { principal, clientAddress }: Context,
  ): Promise<RecordedEventsType> {
    return recordEvents(principal, input, clientAddress);
  }
}
