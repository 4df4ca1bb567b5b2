import type { Network } from './Network.ts';
import type { Person } from './Person.ts';
import type { Phone } from './Phone.ts';

/** The project, and a neighbour whose links the same people follow. */
export type Tenant = 'own' | 'neighbour';

interface Event {
  /** Milliseconds since the epoch; no two events have the same. */
  atMs: number;
  tenant: Tenant;
  person: Person;
  network: Network;
  address: string;
}

/** A link was followed. */
export interface ClickEvent extends Event {
  kind: 'click';
  /** Its place among the links of the tenant. */
  link: number;
  /** Null: a desktop. */
  device: Phone | null;
  agent: string;
  acceptLanguage: string;
}

/** An app was opened. */
export interface OpenEvent extends Event {
  kind: 'open';
  phone: Phone;
  installId: string;
  /** Else by somebody who has had it for long. */
  isFirst: boolean;
  /** The click that truly led there, the last one before it by that phone; null: none did. */
  origin: ClickEvent | null;
}

export type FleetEvent = ClickEvent | OpenEvent;
