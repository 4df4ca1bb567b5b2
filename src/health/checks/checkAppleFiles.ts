import type { IosApp } from '../../models/Project.ts';
import type { Asking } from '../Asking.ts';
import { appleProblems } from '../association/appleProblems.ts';
import { checkFiles, missingApps } from '../association/checkFiles.ts';
import type { CheckResult } from '../Check.ts';
import type { Subject } from '../readSubject.ts';

/** Whether iOS finds every app of the project in the association file of every domain. */
export async function checkAppleFiles(subject: Subject, asking: Asking): Promise<CheckResult | null> {
  const apps = subject.apps.filter((app): app is IosApp => app.platform === 'ios');
  if (apps.length === 0) return missingApps(subject, 'iOS');
  return checkFiles(subject, asking, {
    path: '/.well-known/apple-app-site-association',
    good: 'iOS finds every app.',
    problemsOf: (content, isLinkDomain) => appleProblems(content, apps, isLinkDomain),
  });
}
