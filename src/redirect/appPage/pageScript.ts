import { OWN_PATHS } from '../../kernel/origins.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { answer, type HttpExchange } from '../answer.ts';
import { REPORT_PATH } from './deviceReport.ts';

/**
 * The script of the app page. On a tap on a link with `data-store`, it reports the device without waiting. It copies the
 * `data-copy` of a link, then opens the link, after a second at the latest. It avoids syntax that old browsers inside
 * apps do not know.
 */
export const pageScript = `(() => {
  'use strict';
  // For pages without https and browsers inside apps, which lack navigator.clipboard.
  function copyBySelection(text) {
    const area = document.createElement('textarea');
    area.value = text;
    area.readOnly = true;
    area.style.position = 'fixed';
    area.style.opacity = '0';
    document.body.append(area);
    area.select();
    area.setSelectionRange(0, text.length);
    document.execCommand('copy');
    area.remove();
  }
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyBySelection(text);
    }
  }
  function reportDevice() {
    if (navigator.globalPrivacyControl || navigator.doNotTrack === '1') return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { width, height } = screen;
    // Plain text needs no CORS preflight.
    const body = JSON.stringify({ timezone: timeZone, screen: { width, height, scale: devicePixelRatio } });
    const token = new URLSearchParams(location.search).get('t') || '';
    const address = '${REPORT_PATH}?t=' + encodeURIComponent(token);
    if (navigator.sendBeacon && navigator.sendBeacon(address, body)) return;
    fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {});
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (!link) return;
    try {
      if ('store' in link.dataset) reportDevice();
    } catch {
      // The link must open even if the report fails.
    }
    if (!('copy' in link.dataset)) return;
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const go = () => location.assign(link.href);
    const limit = new Promise((resolve) => setTimeout(resolve, 1000));
    Promise.race([copy(link.dataset.copy), limit]).then(go, go);
  });
})();
`;

export const SCRIPT_PATH = `${OWN_PATHS.openApp}/app.js`;

const BODY = Buffer.from(pageScript);
const VERSION = `v=${sha256(pageScript).slice(0, 16)}`;

/** Contains a hash of the content, so that browsers may cache it for ever. */
export const SCRIPT_ADDRESS = `${SCRIPT_PATH}?${VERSION}`;

export function answerScript(exchange: HttpExchange, query: string): void {
  // While processes of two versions run, one may get requests for the script of the other.
  const caching = query === VERSION ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = ['Content-Type', 'text/javascript; charset=utf-8', 'Cache-Control', caching];
  headers.push('X-Content-Type-Options', 'nosniff', 'Content-Length', String(BODY.length));
  answer(exchange, 200, headers, BODY);
}
