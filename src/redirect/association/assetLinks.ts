import type { AndroidApp, App } from '../../models/Project.ts';

const RELATION = ['delegate_permission/common.handle_all_urls'];

/** What Android asks for App Links: which apps, signed how, open the links of a domain. Null without such apps. */
export function assetLinks(apps: readonly App[]): object[] | null {
  const signed = apps.filter(
    (app): app is AndroidApp => app.platform === 'android' && app.sha256_fingerprints.length > 0,
  );
  if (signed.length === 0) return null;
  return signed.map((app) => ({
    relation: RELATION,
    target: {
      namespace: 'android_app',
      package_name: app.package,
      sha256_cert_fingerprints: app.sha256_fingerprints,
    },
  }));
}
