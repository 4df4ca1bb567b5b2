import { useRouter } from '@tanstack/react-router';
import { ask } from '../kernel/ask.ts';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { forgetDrafts } from '../kernel/storage.ts';
import { toastError } from '../ui/toasts.ts';
import { announceSignOut } from './otherTabs.ts';
import { endSession } from './session.ts';

const SIGN_OUT = graphql(`
  mutation SignOut {
    signOut
  }
`);

/** Ends the session, forgets what was loaded, and tells the other tabs. `isStaying`: at a page that needs no session. */
export function useSignOut({ isStaying = false } = {}): () => Promise<void> {
  const router = useRouter();
  return async () => {
    try {
      await ask(SIGN_OUT, {});
    } catch (error) {
      // Whoever is told that they are signed out must be.
      if (codeOf(error) !== 'not_signed_in') return toastError(error);
    }
    forgetPerson();
    if (!isStaying) await router.navigate({ to: '/sign-in', ignoreBlocker: true });
  };
}

/** The session is over: nothing of the person is left in this browser, and the other tabs hear of it. */
export function forgetPerson(): void {
  forgetDrafts();
  announceSignOut();
  endSession();
}
