import { host } from './host.ts';

/** Tells when the page may go away and when the network is back; gives how to stop it. Nothing outside of browsers. */
export function listenToPage(leave: () => void, comeBack: () => void): () => void {
  const { document } = host;
  const hide = () => {
    if (document?.visibilityState === 'hidden') leave();
  };
  const heard = [
    [document, 'visibilitychange', hide],
    [host, 'pagehide', leave],
    [host, 'online', comeBack],
  ] as const;
  for (const [source, type, listener] of heard) source?.addEventListener?.(type, listener);
  return () => {
    for (const [source, type, listener] of heard) source?.removeEventListener?.(type, listener);
  };
}
