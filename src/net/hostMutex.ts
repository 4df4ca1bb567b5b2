import { keyedMutex } from '../kernel/concurrency.ts';

/** Runs `request` once no other request to that host is running, so that a host many projects link to is not flooded. */
export const withHostMutex = keyedMutex();
