/** What the browser keeps for the next visit: nothing personal, and nothing that the page cannot do without. */
export interface Preferences {
  project: string;
  density: 'comfortable' | 'compact';
  timezone: string;
  /** The chosen language; one that the dashboard no longer speaks counts as none. */
  language: string;
  /** Whether single letters are shortcuts (WCAG 2.1.4). */
  hasShortcuts: boolean;
  hiddenColumns: string[];
  /** Codes are shown in this language. */
  codeLanguage: string;
  /** Ids of projects whose first steps were put away. */
  dismissedSteps: string[];
}

const PREFIX = 'svc.';

/** Null where nothing is kept, or where the browser forbids it. */
export function readPreference<Name extends keyof Preferences>(name: Name): Preferences[Name] | null {
  return read('localStorage', name) as Preferences[Name] | null;
}

/** Null: nothing is kept any more. */
export function writePreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name] | null): void {
  write('localStorage', name, value);
}

/** Drafts of forms, kept in this tab alone, so that the end of a session or a reload loses nothing. */
export function readDraft(name: string): unknown {
  return read('sessionStorage', `draft.${name}`);
}

export function writeDraft(name: string, value: unknown): void {
  write('sessionStorage', `draft.${name}`, value);
}

/** Whether this tab keeps anything that was not saved. A sign-out leaves none: they stay where a session has ended. */
export function hasDrafts(): boolean {
  try {
    const kept = [...unkept.keys(), ...Object.keys(sessionStorage).map((name) => `sessionStorage${name}`)];
    return kept.some((name) => /^sessionStorage(svc\.)?draft\./.test(name));
  } catch {
    return false;
  }
}

/** After a sign-out: whoever signs in next in this tab must not find them. */
export function forgetDrafts(): void {
  for (const name of unkept.keys()) if (name.startsWith('sessionStoragedraft.')) unkept.delete(name);
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(`${PREFIX}draft.`));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // What the browser forbids to read is not kept either.
  }
}

/** What a browser that keeps nothing would keep; for as long as the page. */
const unkept = new Map<string, string>();

type Store = 'localStorage' | 'sessionStorage';

/** Browsers that forbid storage already throw at `window.localStorage`, so it is looked up inside of `try`. */
function read(store: Store, name: string): unknown {
  try {
    const text = unkept.get(store + name) ?? window[store].getItem(PREFIX + name);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function write(store: Store, name: string, value: unknown): void {
  unkept.delete(store + name);
  try {
    if (value === null) window[store].removeItem(PREFIX + name);
    else window[store].setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks.
    unkept.set(store + name, JSON.stringify(value));
  }
}
