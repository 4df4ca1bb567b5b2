import type { IosApp } from '../../models/Project.ts';
import type { Asking } from '../Asking.ts';
import { appleProblems } from '../association/appleProblems.ts';
import { checkFiles } from '../association/checkFiles.ts';
import type { CheckResult } from '../Check.ts';
import type { Subject } from '../readSubject.ts';

/** Whether iOS finds every app of the project in the association file of every domain. */
export async function checkAppleFiles(subject: Subject, asking: Asking): Promise<CheckResult | null> {
  const apps = subject.apps.filter((app): app is IosApp => app.platform === 'ios');
  if (apps.length === 0) return { status: 'skip', message: 'The project has no iOS apps.' };
  return checkFiles(subject, asking, {
    path: '/.well-known/apple-app-site-association',
    good: 'iOS finds every app.',
    problemsOf: (content, host, isLinkDomain) => appleProblems(content, apps, host, isLinkDomain),
  });
}
