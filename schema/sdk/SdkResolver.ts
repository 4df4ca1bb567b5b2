import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { recordAppEvents, recordOpen, resolveUrl, unmatchedOpen } from '../../src/attribution/sdkService.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import {
  AppOpenType,
  RecordEventsInput,
  RecordedEventsType,
  RecordOpenInput,
  ResolvedUrlType,
  ResolveUrlInput,
} from './sdkTypes.ts';

/** What apps ask, with a publishable key. */
@Resolver()
export class SdkResolver {
  @Mutation(() => AppOpenType, { description: 'An app was opened; with firstOpen, traces it back to a click.' })
  recordOpen(
    @Arg('input', () => RecordOpenInput, { description: 'The opening and the device.' }) input: RecordOpenInput,
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
    @Arg('input', () => ResolveUrlInput, { description: 'The URL.' }) { url }: ResolveUrlInput,
    @Ctx() { principal }: Context,
  ): Promise<ResolvedUrlType> {
    return resolveUrl(principal, url);
  }

  @DryRun({ unlessBad: ['events', 'name'] })
  @Mutation(() => RecordedEventsType, { description: 'What happened in an app.' })
  recordEvents(
    @Arg('input', () => RecordEventsInput, { description: 'The events.' }) input: RecordEventsInput,
    @Ctx() { principal, clientAddress }: Context,
  ): Promise<RecordedEventsType> {
    return recordAppEvents(principal, input, clientAddress);
  }
}
