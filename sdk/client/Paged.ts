/** One page of a list, as the API sends it. */
export interface PageBody {
  data: unknown[];
  next_cursor: string | null;
}

type RowOf<Body extends PageBody> = Body['data'][number];

/** A page that also gives the rows of all pages from it on, and the next one. */
export type Page<Body extends PageBody> = Body &
  AsyncIterable<RowOf<Body>> & {
    /** Null after the last. */
    nextPage(): Promise<Page<Body> | null>;
  };

/**
 * A list. `await` gives its first page; `for await` gives the rows of all pages, each page asked for when the one before is
 * used up. Nothing is asked for before.
 */
export class Paged<Body extends PageBody> implements PromiseLike<Page<Body>>, AsyncIterable<RowOf<Body>> {
  readonly #ask: (cursor: string | undefined) => Promise<Body>;
  readonly #cursor: string | undefined;
  #first: Promise<Page<Body>> | undefined;

  constructor(ask: (cursor: string | undefined) => Promise<Body>, cursor?: string) {
    this.#ask = ask;
    this.#cursor = cursor;
  }

  // biome-ignore lint/suspicious/noThenProperty: what `await` calls
  then<One = Page<Body>, Other = never>(
    onPage?: ((page: Page<Body>) => One | PromiseLike<One>) | null,
    onError?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<One | Other> {
    this.#first ??= this.#page();
    return this.#first.then(onPage, onError);
  }

  async *pages(): AsyncGenerator<Page<Body>> {
    for (let page: Page<Body> | null = await this; page; page = await page.nextPage()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowOf<Body>> {
    for await (const { data } of this.pages()) yield* data as RowOf<Body>[];
  }

  async #page(): Promise<Page<Body>> {
    const body = await this.#ask(this.#cursor);
    const following = body.next_cursor === null ? null : new Paged(this.#ask, body.next_cursor);
    async function* rows() {
      yield* body.data;
      if (following) yield* following;
    }
    // No part of what is printed or compared: the page stays what the API sent.
    return Object.defineProperties(body, {
      nextPage: { value: async () => following },
      [Symbol.asyncIterator]: { value: rows },
    }) as Page<Body>;
  }
}
