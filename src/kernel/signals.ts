import { EventEmitter } from 'node:events';

/** What one part of the product announces to the others after a commit. The payload is a string, as for NOTIFY. */
export type Topic =
  | 'link'
  | 'share'
  | 'project'
  | 'domain'
  | 'key'
  | 'outbox'
  | 'deliveries'
  | 'webhook'
  | 'replays'
  | 'imports'
  | 'mail';

const emitter = new EventEmitter<Record<Topic | 'missed', [string]>>();

/** Announcements within this process. src/db/announce.ts carries them to other processes. */
export const signals = {
  emit: (topic: Topic, payload: string): void => void emitter.emit(topic, payload),
  /** Calls `listener` for each announcement until the returned function is called. */
  on(topic: Topic, listener: (payload: string) => void): () => void {
    emitter.on(topic, listener);
    return () => emitter.off(topic, listener);
  },
  /** Announcements of other processes may have been lost: every cache must be cleared. */
  emitMissed: (): void => void emitter.emit('missed', ''),
  onMissed(listener: () => void): () => void {
    emitter.on('missed', listener);
    return () => emitter.off('missed', listener);
  },
};
