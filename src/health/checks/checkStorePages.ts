import { config } from '../../kernel/config.ts';
import type { App } from '../../models/Project.ts';
import { problemText } from '../../net/problemText.ts';
import type { Asking } from '../Asking.ts';
import { askPage } from '../askPage.ts';
import type { CheckResult } from '../Check.ts';
import { type Finding, summarize } from '../findings.ts';
import type { Subject } from '../readSubject.ts';

/** Whether the apps of the project have pages in their stores, where visitors without the app are sent. */
export async function checkStorePages({ apps }: Subject, asking: Asking): Promise<CheckResult | null> {
  const pages = apps.map(pageOf).filter((page) => page !== null);
  if (pages.length === 0) return { status: 'skip', message: 'No app of this project has a store page to look for.' };
  const findings = await Promise.all(pages.map((page) => lookAt(page, asking)));
  return summarize(findings, 'Every store page answers.');
}

interface Page {
  app: string;
  url: string;
}

function pageOf(app: App): Page | null {
  if (app.platform === 'android') {
    if (config.playStoreUrl === null) return null;
    return { app: app.package, url: `${config.playStoreUrl}/store/apps/details?id=${app.package}` };
  }
  if (config.appStoreUrl === null || !app.app_store_id) return null;
  return { app: app.bundle_id, url: `${config.appStoreUrl}/app/id${app.app_store_id}` };
}

async function lookAt({ app, url }: Page, asking: Asking): Promise<Finding | null> {
  const answer = await askPage(url, asking);
  if (answer === null) return null;
  // The store that cannot be asked is no fault of the project.
  if ('problem' in answer) {
    return { status: 'warn', message: `The store page of ${app} could not be asked: ${url}: ${problemText(answer)}.` };
  }
  const { status } = answer;
  if (status < 400) return { status: 'pass', message: app };
  if (status === 404 || status === 410) {
    const message = `There is no store page of ${app} at ${url}: correct the app in the project, or publish it.`;
    return { status: 'fail', message };
  }
  return { status: 'warn', message: `The store page of ${app} at ${url} answers with status ${status}.` };
}
