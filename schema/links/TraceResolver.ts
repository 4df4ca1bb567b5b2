import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { traceLink } from '../../src/services/links/traceLink.ts';
import type { Context } from '../context.ts';
import { TraceType } from './TraceType.ts';
import { TraceArgs } from './traceArgs.ts';

@Resolver()
export class TraceResolver {
  @Query(() => TraceType, { description: 'Where the router would send a visitor, and why; records nothing.' })
  traceLink(@Args(() => TraceArgs) { id, ...visitor }: TraceArgs, @Ctx() { principal }: Context): Promise<TraceType> {
    return traceLink(principal, id, visitor);
  }
}
