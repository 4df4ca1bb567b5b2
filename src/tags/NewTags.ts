import type { Transaction } from '../db/sequelize.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { mapYielding } from '../kernel/yield.ts';
import { roomForTags, tooManyTags, unknownTagKeys } from './linkTagStore.ts';
import { tagKey } from './tagNames.ts';

/** New tags of one call: a call that makes thousands is a mistake, such as a field of another meaning sent as tags. */
export const NEW_TAGS_OF_CALL = 200;

/** The tags that the links of one call, or of one batch of an import, may bring to their project. */
export class NewTags {
  readonly #projectId: string;
  readonly #ofCall: number;
  readonly #allowed = new Set<string>();
  #room: number | null = null;

  /** `ofCall`: how many the call may bring, if that is bounded. */
  constructor(projectId: string, ofCall = Number.POSITIVE_INFINITY) {
    this.#projectId = projectId;
    this.#ofCall = ofCall;
  }

  /**
   * Why rows with these tags are refused, in their order; null for one that is not. A row is refused as a whole where one of
   * its new tags is too many; the rows after it may still have tags that exist.
   */
  async refusals(
    rows: readonly (readonly string[] | null | undefined)[],
    transaction: Transaction,
  ): Promise<(CodedError | null)[]> {
    // A single link has so few tags that making them is what finds out.
    const isFew = rows.length === 1 || rows.every((names) => !names?.length);
    if (isFew) return rows.map(() => null);
    const keys = await mapYielding(rows, (names) => [...new Set((names ?? []).map(tagKey))]);
    const unknown = await unknownTagKeys(this.#projectId, new Set(keys.flat()), transaction);
    if (unknown.size === 0) return rows.map(() => null);
    this.#room ??= await roomForTags(this.#projectId, transaction);
    return keys.map((ofRow) => this.#allow(ofRow.filter((key) => unknown.has(key) && !this.#allowed.has(key))));
  }

  #allow(fresh: readonly string[]): CodedError | null {
    const wanted = this.#allowed.size + fresh.length;
    if (fresh.length > 0 && wanted > this.#ofCall) return validationFailed([{ path: 'tags', message: OF_CALL }]);
    if (fresh.length > 0 && wanted > (this.#room ?? 0)) return validationFailed([tooManyTags('tags')]);
    for (const key of fresh) this.#allowed.add(key);
    return null;
  }
}

const OF_CALL = `A call creates at most ${NEW_TAGS_OF_CALL} new tags, and the rows before this one create as many as it leaves. Send this row again in a further call.`;
