import { useState } from 'react';

const SEEN = new Map<string, string>();

/**
 * The token behind `#` in the address of a mailed link, which is taken out of the address at once: it must not stay in the
 * history or in a screenshot. Null where there is none.
 */
export function useAddressToken(): string | null {
  const [token] = useState(() => takeToken());
  return token;
}

/** It has done its work: a page that is gone back to must not send it again. */
export function forgetAddressToken(): void {
  SEEN.delete(location.pathname);
}

function takeToken(): string | null {
  const page = location.pathname;
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return SEEN.get(page) ?? null;
  // For a page that is rendered twice, and for the way back from signing in.
  SEEN.set(page, token);
  history.replaceState(history.state, '', page + location.search);
  return token;
}
