import type { ResolvedUrl, ResolveUrl } from './api.ts';
import { camelCased } from './camelCased.ts';
import { checkOptions } from './checkOptions.ts';
import { deviceFacts } from './deviceFacts.ts';
import { EventQueue } from './EventQueue.ts';
import { eventLine } from './eventLine.ts';
import { Install } from './Install.ts';
import { LinkListeners } from './LinkListeners.ts';
import { listenToPage } from './listenToPage.ts';
import { Opens } from './Opens.ts';
import { Pace } from './Pace.ts';
import { Sender } from './Sender.ts';
import { Store } from './Store.ts';
import type { SvcError } from './SvcError.ts';
import { makePost } from './transport.ts';
import type { SvcClient, SvcOptions } from './types.ts';

/** A client of one project. Throws a `SvcError` with `invalid_options`; its methods throw only where they say so. */
export function init(options: SvcOptions): SvcClient {
  checkOptions(options);
  const { onError, flushSeconds = 5, maxQueue = 1000, name = 'svc' } = options;
  let { consent } = options;
  const tell = quietly(onError);
  const post = makePost(options);
  const store = new Store(options.storage, name, tell);
  const install = new Install(store);
  const queue = new EventQueue(store, maxQueue, tell);
  const pace = new Pace(() => void sender.flush(), flushSeconds * 1000, tell);
  const facts = async () => ({ ...deviceFacts(options), install_id: await install.id(), consent });
  const listeners = new LinkListeners(tell);
  const opens = new Opens({ post, store, pace, listeners, facts, tell });
  const sender = new Sender({ post, store, install, queue, opens, pace, tell });
  const stopListening = listenToPage(
    () => void sender.leave(),
    () => void sender.flush(),
  );
  // What an earlier start could not send.
  pace.soon();

  return {
    handleOpen: (url, details) => opens.handle(url, details),
    onLink: (listener) => listeners.add(listener),
    async resolve(url) {
      const question: ResolveUrl = { url };
      const { data } = await post<ResolvedUrl>('/resolve', JSON.stringify(question), 'link');
      return camelCased(data.link);
    },
    async track(event, more) {
      const line = eventLine(event, more || {}, tell);
      if (!line) return;
      pace.soon();
      await queue.add(line);
    },
    flush: () => sender.flush(),
    setConsent(isGiven) {
      consent = isGiven;
    },
    installId: () => install.id(),
    reset: () => opens.forget(() => Promise.all([install.forget(), queue.clear()])),
    close() {
      pace.stop('closed');
      stopListening();
    },
  };
}

/** Whoever listens to errors cannot be told of another. */
function quietly(onError: SvcOptions['onError']): (error: SvcError) => void {
  return (error) => {
    try {
      onError?.(error);
    } catch {}
  };
}
