import { localId } from './localId.ts';
import type { LocalDelivery, LocalSender, Outcome } from './sendLocally.ts';

/** An event of the stream: `data` is the text of its envelope. */
export interface StreamedEvent {
  id: string;
  type: string;
  data: string;
}

/** Requests at a time: a receiver that hangs holds up a tenth of the events, not all. */
const AT_A_TIME = 10;

/** Sends each event to the receiver once. Nothing waits in memory beyond what is being sent. */
export class Forwarder {
  readonly counts = { delivered: 0, refused: 0, failed: 0 };
  readonly #sender: LocalSender;
  readonly #onOutcome: (delivery: LocalDelivery, outcome: Outcome) => void;
  readonly #running = new Set<Promise<void>>();
  #last: LocalDelivery | null = null;

  constructor(sender: LocalSender, onOutcome: (delivery: LocalDelivery, outcome: Outcome) => void) {
    this.#sender = sender;
    this.#onOutcome = onOutcome;
  }

  /** Resolves when the next event can be taken. */
  async forward({ id, type, data }: StreamedEvent): Promise<void> {
    this.#send({ id: localId('local'), eventId: id, eventType: type, attempt: 1, body: data });
    while (this.#running.size >= AT_A_TIME) await Promise.race(this.#running);
  }

  /** Sends the last event once more, as another attempt. Returns false if there is none. */
  resend(): boolean {
    if (this.#last) this.#send({ ...this.#last, attempt: this.#last.attempt + 1 });
    return this.#last !== null;
  }

  /** Resolves when every request has ended. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#sender.close();
  }

  #send(delivery: LocalDelivery): void {
    this.#last = delivery;
    const run = this.#sender.send(delivery).then((outcome) => {
      this.counts[outcomeOf(outcome)] += 1;
      this.#onOutcome(delivery, outcome);
      this.#running.delete(run);
    });
    this.#running.add(run);
  }
}

function outcomeOf({ status }: Outcome): 'delivered' | 'refused' | 'failed' {
  if (status === null) return 'failed';
  return status >= 200 && status < 300 ? 'delivered' : 'refused';
}
