import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { bulkCreateLinks } from '../../src/services/links/bulk/bulkCreateLinks.ts';
import { bulkDeleteLinks } from '../../src/services/links/bulk/bulkDeleteLinks.ts';
import { bulkUpdateLinks } from '../../src/services/links/bulk/bulkUpdateLinks.ts';
import type { BulkOutcome } from '../../src/services/links/bulk/finishBulk.ts';
import type { Context } from '../context.ts';
import {
  BulkCreateLinksInput,
  BulkCreateType,
  BulkDeleteLinksInput,
  BulkDeleteType,
  BulkUpdateLinksInput,
  BulkUpdateType,
} from './bulkTypes.ts';

@Resolver()
export class BulkResolver {
  @Mutation(() => BulkCreateType, { description: 'Makes up to 1,000 links; good ones land although others fail.' })
  async bulkCreateLinks(
    @Arg('input', () => BulkCreateLinksInput) input: BulkCreateLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return shown(await bulkCreateLinks(principal, input), 'created');
  }

  @Mutation(() => BulkUpdateType, { description: 'Makes one change to up to 1,000 links.' })
  async bulkUpdateLinks(
    @Arg('input', () => BulkUpdateLinksInput) input: BulkUpdateLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return shown(await bulkUpdateLinks(principal, input), 'updated');
  }

  @Mutation(() => BulkDeleteType, { description: 'Deletes up to 1,000 links.' })
  async bulkDeleteLinks(
    @Arg('input', () => BulkDeleteLinksInput) input: BulkDeleteLinksInput,
    @Ctx() { principal }: Context,
  ) {
    return shown(await bulkDeleteLinks(principal, input), 'deleted');
  }
}

function shown({ batchId, done, failed, results }: BulkOutcome, word: string) {
  return {
    batchId,
    counts: { [word]: done, failed },
    results: results.map(({ index, link, error }) => ({
      index,
      status: error ? 'failed' : word,
      link,
      error: error && { code: error.code, message: error.message, fields: error.fields ?? null },
    })),
  };
}
