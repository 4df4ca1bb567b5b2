import type { AndroidApp } from '../../models/Project.ts';
import type { Asking } from '../Asking.ts';
import { androidProblems } from '../association/androidProblems.ts';
import { checkFiles, missingApps } from '../association/checkFiles.ts';
import type { CheckResult } from '../Check.ts';
import { several } from '../findings.ts';
import type { Subject } from '../readSubject.ts';

/** Whether Android finds every app of the project, with its fingerprints, in the association file of every domain. */
export async function checkAssetLinks(subject: Subject, asking: Asking): Promise<CheckResult | null> {
  const apps = subject.apps.filter((app): app is AndroidApp => app.platform === 'android');
  if (apps.length === 0) return missingApps(subject, 'Android');
  const signed = apps.filter(({ sha256_fingerprints }) => sha256_fingerprints.length > 0);
  const unsigned = apps.filter((app) => !signed.includes(app)).map((app) => withoutFingerprint(app.package));
  const result = signed.length > 0 ? await checkSigned(subject, asking, signed) : null;
  if (unsigned.length === 0 || result?.status === 'fail') return result;
  return { status: 'warn', message: several([...unsigned, ...(result?.status === 'warn' ? [result.message] : [])]) };
}

function checkSigned(subject: Subject, asking: Asking, apps: AndroidApp[]): Promise<CheckResult | null> {
  return checkFiles(subject, asking, {
    path: '/.well-known/assetlinks.json',
    good: 'Android finds every app.',
    problemsOf: (content) => androidProblems(content, apps),
  });
}

function withoutFingerprint(name: string): string {
  return `${name} has no fingerprint in this project, so Android opens no link with it: add the SHA256 line of keytool.`;
}
