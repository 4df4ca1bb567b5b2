import type { Http } from './Http.ts';
import type { OperationId } from './operationTable.ts';
import { type PageBody, Paged } from './Paged.ts';
import type { Ask } from './request.ts';
import { TextStream } from './TextStream.ts';

/** An image or another file of bytes. */
export interface FileAnswer {
  mediaType: string;
  bytes: Uint8Array;
}

/** What the printed methods are made of. */
export abstract class Resource {
  protected readonly http: Http;

  constructor(http: Http) {
    this.http = http;
  }

  protected async json<Data>(id: OperationId, ask: Ask): Promise<Data> {
    return (await this.http.ask(id, ask)).json();
  }

  protected async nothing(id: OperationId, ask: Ask): Promise<void> {
    await this.http.ask(id, ask);
  }

  protected async file(id: OperationId, ask: Ask): Promise<FileAnswer> {
    const { mediaType, bytes } = await this.http.ask(id, ask);
    return { mediaType, bytes };
  }

  protected text(id: OperationId, ask: Ask): TextStream {
    const idleSeconds = ask.timeoutSeconds ?? this.http.timeoutSeconds;
    return new TextStream(() => this.http.ask(id, { ...ask, isStreamed: true }), idleSeconds, ask.signal);
  }

  protected paged<Body extends PageBody>(id: OperationId, ask: Ask): Paged<Body> {
    const page = async (cursor: string | undefined) => {
      const query = cursor === undefined ? ask.query : { ...ask.query, cursor };
      return (await this.http.ask(id, { ...ask, query })).json<Body>();
    };
    return new Paged(page);
  }
}
