import type { EventType } from './catalogue.ts';
import type { PRESENTERS } from './presenters.ts';

/** The `data` of each event type: what its presenter makes. */
export type EventData = { [Type in EventType]: ReturnType<(typeof PRESENTERS)[Type]> };

/** A type and the data that belongs to it. */
export type TypedData = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType];
