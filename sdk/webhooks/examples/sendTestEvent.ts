import { signatureHeader, testEvent } from 'SVC-Webhooks';

/** Sends a signed event to your own receiver, as the server would. */
export async function sendTestEvent(url: string, secret: string): Promise<Response> {
  const rawBody = JSON.stringify(testEvent('link.deleted', { link: { id: 'lnk_1', slug: 'spring-sale' } }));
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'SVC-Signature': signatureHeader({ rawBody, secret }) },
    body: rawBody,
  });
}
