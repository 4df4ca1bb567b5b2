import type { Json } from '../kernel/graphql.ts';
import { appStoreIdIn, fingerprintsIn } from './fingerprints.ts';
import type { ProjectApp } from './operations.ts';

export interface AppValues {
  platform: 'ios' | 'android';
  bundleId: string;
  teamId: string;
  appStoreId: string;
  package: string;
  /** As it was pasted. */
  fingerprints: string;
  scheme: string;
}

/** What the form of an app begins with. */
export function valuesOf(platform: AppValues['platform'], app: ProjectApp | undefined): AppValues {
  const empty = { bundleId: '', teamId: '', appStoreId: '', package: '', fingerprints: '' };
  const scheme = app?.scheme ?? '';
  if (app && 'bundleId' in app) {
    const { bundleId, teamId, appStoreId } = app;
    return { ...empty, platform, bundleId, teamId, appStoreId: appStoreId ?? '', scheme };
  }
  if (app && 'package' in app) {
    return { ...empty, platform, package: app.package, fingerprints: app.sha256Fingerprints.join('\n'), scheme };
  }
  return { ...empty, platform, scheme };
}

/** An app as the API takes it. */
export function inputOf(values: AppValues): Json {
  const scheme = values.scheme.trim() || null;
  if (values.platform === 'android') {
    return {
      platform: 'android',
      package: values.package.trim(),
      sha256_fingerprints: fingerprintsIn(values.fingerprints),
      scheme,
    };
  }
  return {
    platform: 'ios',
    bundle_id: values.bundleId.trim(),
    team_id: values.teamId.trim().toUpperCase(),
    app_store_id: appStoreIdIn(values.appStoreId) || null,
    scheme,
  };
}

/** An app that stays as it is. */
export function inputOfApp(app: ProjectApp): Json {
  return inputOf(valuesOf('bundleId' in app ? 'ios' : 'android', app));
}

export function nameOf(app: ProjectApp): string {
  return 'bundleId' in app ? app.bundleId : app.package;
}
