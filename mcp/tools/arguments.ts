/** Links in one call of a tool. */
export const BULK = 100;

export const LINK = { type: 'string', description: 'Id, ext_ and external_id, short URL, or domain/slug' };
export const CURSOR = { type: 'string', description: 'next_cursor of the page before' };
export const DRY_RUN = { type: 'boolean', description: 'Tells what would happen; keeps nothing' };
export const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Repeat with the same key after an error: nothing is done twice',
};
export const REPEATED = { type: 'string', description: 'The code that a first call gave, once the person agreed' };

export function limitOf(usual: number, most: number) {
  return { type: 'integer', minimum: 1, maximum: most, description: `${usual} by default` };
}
