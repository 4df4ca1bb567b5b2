import { EventEmitter } from 'node:events';

/** What one part of the product tells the others after a commit. The payload is a string, as NOTIFY carries it. */
export type Topic = 'link' | 'project' | 'domain' | 'key' | 'outbox' | 'deliveries' | 'webhook' | 'replays' | 'mail';

const emitter = new EventEmitter<Record<Topic | 'missed', [string]>>();

/** Announcements inside this process. Across processes src/db/announce carries them. */
export const signals = {
  emit: (topic: Topic, payload: string): void => void emitter.emit(topic, payload),
  /** Calls `listener` for each announcement until the returned function is called. */
  on(topic: Topic, listener: (payload: string) => void): () => void {
    emitter.on(topic, listener);
    return () => emitter.off(topic, listener);
  },
  /** Announcements of other processes may have been lost: whoever caches forgets what it knows. */
  emitMissed: (): void => void emitter.emit('missed', ''),
  onMissed(listener: () => void): () => void {
    emitter.on('missed', listener);
    return () => emitter.off('missed', listener);
  },
};
