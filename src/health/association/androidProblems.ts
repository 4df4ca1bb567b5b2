import type { AndroidApp } from '../../models/Project.ts';
import { isObject, listOf } from './json.ts';

const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const RELATION = 'delegate_permission/common.handle_all_urls';

/** What is wrong with an assetlinks.json file for these apps, in sentences that say what to do. */
export function androidProblems(content: unknown, apps: readonly AndroidApp[]): string[] {
  if (!Array.isArray(content)) return ['is no list of statements: it must be a JSON array.'];
  const targets = content
    .filter(isObject)
    .filter(({ relation }) => listOf(relation).includes(RELATION))
    .map(({ target }) => target)
    .filter(isObject);
  return apps.flatMap(({ package: name, sha256_fingerprints }) => {
    const mine = targets.filter((target) => target.namespace === 'android_app' && target.package_name === name);
    if (mine.length === 0)
      return [`${name} is not named for ${RELATION}: add it, or correct the package in the project.`];
    const listed = mine.flatMap((target) => listOf(target.sha256_cert_fingerprints));
    const malformed = [...listed, ...sha256_fingerprints].filter((value) => !FINGERPRINT.test(String(value)));
    if (malformed.length > 0) {
      const shown = String(malformed[0]).slice(0, 120);
      return [`${name} has the fingerprint "${shown}": it must be 32 pairs of capital hex digits with colons.`];
    }
    const missing = sha256_fingerprints.filter((fingerprint) => !listed.includes(fingerprint));
    return missing.length > 0 ? [`${name} lacks the fingerprint ${missing[0]}: add it.`] : [];
  });
}
