import { config } from '../../kernel/config.ts';
import type { App } from '../../models/Project.ts';
import { describeFailure } from '../../net/probe.ts';
import { type CheckResult, type Finding, summarize } from '../findings.ts';
import { type ProbeSession, probePage } from '../ProbeSession.ts';
import type { CheckSubject } from '../readSubject.ts';

/** Whether the apps have store pages, because visitors without the app are sent there. */
export async function checkStorePages({ apps }: CheckSubject, probes: ProbeSession): Promise<CheckResult | null> {
  const pages = apps.map(pageOf).filter((page) => page !== null);
  if (pages.length === 0) return { status: 'skip', message: 'No app of this project has a store page to check.' };
  const findings = await Promise.all(pages.map((page) => checkOne(page, probes)));
  return summarize(findings, 'Every store page responds.');
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

async function checkOne({ app, url }: Page, probes: ProbeSession): Promise<Finding | null> {
  const answer = await probePage(url, probes);
  if (answer === null) return null;
  // An unreachable store is not the project's fault.
  if ('problem' in answer) {
    return {
      status: 'warn',
      message: `The store page of ${app} at ${url} could not be checked: ${describeFailure(answer)}.`,
    };
  }
  const { status } = answer;
  if (status < 400) return { status: 'pass', message: app };
  if (status === 404 || status === 410) {
    const message = `There is no store page for ${app} at ${url}: correct the app in the project, or publish it.`;
    return { status: 'fail', message };
  }
  return { status: 'warn', message: `The store page of ${app} at ${url} responds with status ${status}.` };
}
