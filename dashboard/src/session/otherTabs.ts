/** What tabs of one browser tell each other about their common session. */
type Message = 'signed-in' | 'signed-out' | 'ended';

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('svc.session');

/** Somebody has signed in here: tabs that wait at the sign-in page can go on. */
export const announceSignIn = () => tell('signed-in');

/** Somebody has signed out here, and wants nothing to be seen any more. */
export const announceSignOut = () => tell('signed-out');

/** The server did not know the session of this tab any more. */
export const announceEnd = () => tell('ended');

/** Registers what happens when another tab announces something. */
export function onElsewhere(listeners: { signedIn: () => void; signedOut: () => void; ended: () => void }): void {
  const byMessage = { 'signed-in': listeners.signedIn, 'signed-out': listeners.signedOut, ended: listeners.ended };
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => byMessage[data]?.());
}

function tell(message: Message): void {
  channel?.postMessage(message);
}
