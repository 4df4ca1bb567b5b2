import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { sliced } from '../../src/kernel/sliced.ts';
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
    results: inSlices(results, word),
  };
}

/**
 * One promise for each, which are kept one after the other with pauses: graphql-js shows a list all at once, and a thousand
 * links take long enough for redirects to wait.
 */
function inSlices(results: BulkOutcome['results'], word: string): Promise<object>[] {
  const pause = sliced();
  let last: Promise<unknown> = Promise.resolve();
  return results.map(({ index, link, error }) => {
    const told = error && { code: error.code, message: error.message, fields: error.fields ?? null };
    const shown = last.then(pause).then(() => ({ index, status: error ? 'failed' : word, link, error: told }));
    last = shown;
    return shown;
  });
}
