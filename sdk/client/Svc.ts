import { Events } from './Events.ts';
import { Http, type Target } from './Http.ts';
import { Imports } from './Imports.ts';
import { Resources } from './operations.ts';
import type { SvcOptions } from './options.ts';
import type { Ask } from './request.ts';
import type { SvcAnswer } from './SvcAnswer.ts';

/** The REST API of an installation, as one key may use it. */
export class Svc extends Resources {
  override readonly events: Events;
  override readonly imports: Imports;
  readonly #http: Http;

  /** Throws `invalid_options` for what cannot work; the server is not asked. */
  constructor(options: SvcOptions) {
    const http = new Http(options);
    super(http);
    this.#http = http;
    this.events = new Events(http);
    this.imports = new Imports(http);
  }

  /**
   * Any operation by its id, or any path, answered as it came: status, headers, text. With the retries and errors of the
   * methods, which go through here too.
   */
  request(target: Target, ask?: Ask): Promise<SvcAnswer> {
    return this.#http.ask(target, ask);
  }
}
