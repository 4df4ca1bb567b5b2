import type { AndroidApp } from '../../models/Project.ts';
import { type CheckResult, firstFew } from '../findings.ts';
import type { ProbeSession } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';
import { checkAssociationFiles, isObject, listOf, missingApps } from './associationFiles.ts';

/** Whether Android finds every app of the project, with its fingerprints, in the association file of every domain. */
export async function checkAssetLinks(subject: CheckSubject, probes: ProbeSession): Promise<CheckResult | null> {
  const apps = subject.apps.filter((app): app is AndroidApp => app.platform === 'android');
  if (apps.length === 0) return missingApps(subject, 'Android');
  const signed = apps.filter(({ sha256_fingerprints }) => sha256_fingerprints.length > 0);
  const unsigned = apps.filter((app) => !signed.includes(app)).map((app) => withoutFingerprint(app.package));
  const result = signed.length > 0 ? await checkSigned(subject, probes, signed) : null;
  if (unsigned.length === 0 || result?.status === 'fail') return result;
  return { status: 'warn', message: firstFew([...unsigned, ...(result?.status === 'warn' ? [result.message] : [])]) };
}

function checkSigned(subject: CheckSubject, probes: ProbeSession, apps: AndroidApp[]): Promise<CheckResult | null> {
  return checkAssociationFiles(subject, probes, {
    path: '/.well-known/assetlinks.json',
    good: 'Android finds every app.',
    problemsOf: (content) => androidProblems(content, apps),
  });
}

function withoutFingerprint(name: string): string {
  return `${name} has no fingerprint in this project, so Android opens no links with it: add the SHA256 fingerprint that keytool prints.`;
}

const FINGERPRINT = /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const RELATION = 'delegate_permission/common.handle_all_urls';

/** What is wrong with an assetlinks.json file for these apps, as sentences that say what to do. */
export function androidProblems(content: unknown, apps: readonly AndroidApp[]): string[] {
  if (!Array.isArray(content)) return ['The file is not a list of statements: it must be a JSON array.'];
  const targets = content
    .filter(isObject)
    .filter(({ relation }) => listOf(relation).includes(RELATION))
    .map(({ target }) => target)
    .filter(isObject);
  return apps.flatMap(({ package: name, sha256_fingerprints }) => {
    const mine = targets.filter((target) => target.namespace === 'android_app' && target.package_name === name);
    if (mine.length === 0)
      return [`${name} is not listed with ${RELATION}: add it, or correct the package in the project.`];
    const listed = mine.flatMap((target) => listOf(target.sha256_cert_fingerprints));
    const malformed = [...listed, ...sha256_fingerprints].filter((value) => !FINGERPRINT.test(String(value)));
    if (malformed.length > 0) {
      const shown = String(malformed[0]).slice(0, 120);
      return [
        `${name} has the fingerprint "${shown}": it must be 32 pairs of uppercase hex digits, separated by colons.`,
      ];
    }
    const missing = sha256_fingerprints.filter((fingerprint) => !listed.includes(fingerprint));
    return missing.length > 0 ? [`${name} is listed without the fingerprint ${missing[0]}: add it.`] : [];
  });
}
