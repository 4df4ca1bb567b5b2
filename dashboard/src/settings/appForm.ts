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

/** The form of an app of the list, or of a new one. */
export function draftOfApp(
  { appsJson }: Pick<OneProject, 'appsJson'>,
  at: number | null,
  platform: AppPlatform,
): AppDraft {
  return appPart.read(at === null ? { platform } : (listOf(appsJson)[at] as JsonObject));
}

/** All apps of a project, as the API takes them, with what was written at one place. */
export function withApp({ appsJson }: Pick<OneProject, 'appsJson'>, at: number, draft: AppDraft): Json[] {
  const apps = [...listOf(appsJson)];
  apps[at] = appPart.write(draft);
  return apps;
}

export function withoutApp({ appsJson }: Pick<OneProject, 'appsJson'>, at: number): Json[] {
  return listOf(appsJson).filter((_, place) => place !== at);
}

export function nameOf(app: ProjectApp): string {
  return 'bundleId' in app ? app.bundleId : app.package;
}

function listOf(apps: Json): readonly Json[] {
  return Array.isArray(apps) ? apps : [];
}
