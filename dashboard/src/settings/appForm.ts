import { isSame } from '../kernel/formValues.ts';
import type { Json, JsonObject } from '../kernel/graphql.ts';
import { type FormOf, jsonPart, type Part, requiredText, text } from '../kernel/recordForm.ts';
import { appStoreIdIn, fingerprintsIn } from './fingerprints.ts';
import type { OneProject, ProjectApp } from './operations.ts';

/** As they were pasted. */
const fingerprints: Part<string[], string> = {
  read: (found) => (found ?? []).join('\n'),
  write: (pasted) => fingerprintsIn(pasted),
};

/** What apps of either platform have; each has some of it. */
const FIELDS = {
  bundleId: requiredText,
  teamId: { ...requiredText, write: (typed: string) => typed.trim().toUpperCase() },
  appStoreId: { ...text, write: (pasted: string) => appStoreIdIn(pasted) || null },
  package: requiredText,
  sha256Fingerprints: fingerprints,
  scheme: text,
};

export const appPart = jsonPart(FIELDS);

export type AppDraft = FormOf<typeof FIELDS>;
export type AppPlatform = 'ios' | 'android';
type Apps = Pick<OneProject, 'appsJson'>;

/** The form of an app of the list, or of a new one. */
export function draftOfApp(project: Apps, at: number | null, platform: AppPlatform): AppDraft {
  return appPart.read(at === null ? { platform } : (appsOf(project)[at] as JsonObject));
}

/** All apps as the API takes them, with what was written of one, and its place; one that is not among them is added. */
export function withApp(project: Apps, draft: AppDraft): { apps: Json[]; place: number } {
  const apps = [...appsOf(project)];
  const found = apps.findIndex((app) => isSame(app, draft.origin));
  const place = found < 0 ? apps.length : found;
  apps[place] = appPart.write(draft);
  return { apps, place };
}

/** All apps but one; it stays where somebody else has changed it meanwhile. */
export function withoutApp(project: Apps, app: Json | undefined): Json[] {
  return appsOf(project).filter((one) => !isSame(one, app));
}

export function nameOf(app: ProjectApp): string {
  return 'bundleId' in app ? app.bundleId : app.package;
}

export function appsOf({ appsJson }: Apps): readonly Json[] {
  return Array.isArray(appsJson) ? appsJson : [];
}
