import { Counter } from 'prom-client';
import { OccasionalWarnings } from '../clicks/occasionalWarnings.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { registry } from '../kernel/metrics.ts';
import { WebRisk } from './WebRisk.ts';

const GOOGLE = 'https://webrisk.googleapis.com';

const lookups = new Counter({
  name: 'svc_web_risk_lookups_total',
  help: 'Questions to the Web Risk API, by what came of them (safe, threat or failed).',
  labelNames: ['result'],
  registers: [registry],
});

const warnings = new OccasionalWarnings((message) => log.warn(message));

let provider: { webRisk: WebRisk; options: string } | null = null;

/** Web Risk as the settings want it, with what it remembers; null without a key. */
export function webRiskProvider(): WebRisk | null {
  const { webRiskApiKey: apiKey, webRiskUrl, webRiskTimeoutMilliseconds: timeoutMs } = config;
  const origin = webRiskUrl ?? GOOGLE;
  const options = JSON.stringify([apiKey, origin, timeoutMs]);
  if (provider?.options !== options) {
    void provider?.webRisk.close();
    provider = apiKey ? { webRisk: new WebRisk({ apiKey, origin, timeoutMs, onAnswer }), options } : null;
  }
  return provider?.webRisk ?? null;
}

function onAnswer(result: 'safe' | 'threat' | 'failed', error?: Error): void {
  lookups.inc({ result });
  if (error) warnings.warn('failed', `Web Risk could not be asked (${error.message}); links are scanned again later`);
}
