import { OWN_PATHS } from '../../kernel/ownPaths.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { type Asked, answer } from '../answer.ts';
import { REPORT_PATH } from './deviceReport.ts';

/**
 * On a tap on a link with `data-store` tells our server of the device, for which nobody waits. Copies what a link bears in
 * `data-copy`, then goes where it leads; at the latest after a second. In words that old browsers inside apps know.
 */
export const pageScript = `(() => {
  'use strict';
  // For pages without https and browsers inside apps, which know no navigator.clipboard.
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
  function tellDevice() {
    if (navigator.globalPrivacyControl || navigator.doNotTrack === '1') return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const { width, height } = screen;
    // A text, which goes without asking first whether it may.
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
      if ('store' in link.dataset) tellDevice();
    } catch {
      // Whoever taps goes on, whatever cannot be told.
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

/** With the version of its content, so that it may be kept for ever. */
export const SCRIPT_ADDRESS = `${SCRIPT_PATH}?${VERSION}`;

export function answerScript(asked: Asked, query: string): void {
  // While processes of two versions run, one may be asked for the script of the other.
  const caching = query === VERSION ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = ['Content-Type', 'text/javascript; charset=utf-8', 'Cache-Control', caching];
  headers.push('X-Content-Type-Options', 'nosniff', 'Content-Length', String(BODY.length));
  answer(asked, 200, headers, BODY);
}
