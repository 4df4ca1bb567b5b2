import type { AppEvent } from './api.ts';
import { newUuid } from './newUuid.ts';
import { MAX_BYTES } from './Sender.ts';
import { SvcError } from './SvcError.ts';
import { bytesOf, takeBatch } from './takeBatch.ts';
import type { TrackOptions } from './types.ts';

/** The server's: it would refuse the events beside it too. */
const MAX_PROPERTIES_BYTES = 2048;

/** An event as it will be sent, as it is now: later changes of its properties do not count. Nothing if it cannot be. */
export function eventLine(
  name: string,
  { value, currency, properties, id, occurredAt }: TrackOptions,
  tell: (error: SvcError) => void,
): string | undefined {
  const time = occurredAt || new Date();
  const event: Omit<AppEvent, 'occurred_at'> & { occurred_at: Date | string } = {
    id: id || newUuid(),
    name,
    occurred_at: time,
    value,
    currency,
    properties,
  };
  try {
    const line = JSON.stringify(event);
    if (properties && bytesOf(JSON.stringify(properties)) > MAX_PROPERTIES_BYTES) {
      tell(new SvcError('invalid_event', `The properties of ${name} are larger than ${MAX_PROPERTIES_BYTES} bytes.`));
      return undefined;
    }
    if (takeBatch([line], 1, MAX_BYTES).length > 0) return line;
    tell(new SvcError('invalid_event', `The event ${name} is larger than ${MAX_BYTES} bytes.`));
  } catch (error) {
    tell(new SvcError('invalid_event', `The event ${name} is no JSON: ${error}`));
  }
  return undefined;
}
