import { ProbeSession } from '../../src/health/ProbeSession.ts';
import type { CheckSubject } from '../../src/health/readSubject.ts';
import { newId } from '../../src/kernel/ids.ts';

/** A project that has nothing but what is said, as health checks see it. */
export function healthSubject(more: Partial<CheckSubject> = {}): CheckSubject {
  return {
    projectId: newId('prj'),
    apps: [],
    linkDomains: [],
    withoutApps: new Map(),
    opensApps: false,
    webDomains: [],
    destinations: [],
    webhooks: [],
    publishableKeys: { count: 0, lastUsedAt: null },
    ...more,
  };
}

/** What one run asks, for as long as a run may take. */
export function askingFor(seconds = 10): ProbeSession {
  return new ProbeSession(seconds, new AbortController().signal);
}
