import { useRef, useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { refresh, useAsk } from '../kernel/queries.ts';
import { toastError } from '../ui/toasts.ts';
import type { AlertKind } from './alerts.ts';

const MAIL_PREFERENCES = graphql(`
  query MailPreferences($teamId: ID!) {
    mailPreferences(teamId: $teamId) {
      kinds {
        kind
        about
        on
      }
    }
    service {
      sendsMail
    }
  }
`);

const SET_MAIL_PREFERENCES = graphql(`
  mutation SetMailPreferences($teamId: ID!, $kinds: [AlertKind!]) {
    setMailPreferences(teamId: $teamId, kinds: $kinds) {
      kinds {
        kind
        on
      }
    }
  }
`);

/** Which alerts of a team are mailed to the person, and a way to change it. What was chosen is shown at once. */
export function useMailKinds(teamId: string) {
  const query = useAsk({
    about: 'account',
    document: MAIL_PREFERENCES,
    variables: { teamId },
    isEnabled: teamId !== '',
    keepsEarlier: false,
  });
  const [chosen, setChosen] = useState<readonly AlertKind[] | null>(null);
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const on = chosen ?? kindsOn(query.data);
  /**
   * Saves these kinds, or the default of the role for null. They are made of those that are on at that moment, which another tab
   * may have changed. One after another: the last choice is what stays.
   */
  const save = (edit: (on: readonly AlertKind[]) => readonly AlertKind[] | null, onDone: () => void) => {
    const shown = edit(on);
    setChosen(shown);
    sending.current = sending.current.then(async () => {
      try {
        const kinds = edit(kindsOn(await ask(MAIL_PREFERENCES, { teamId })));
        await ask(SET_MAIL_PREFERENCES, { teamId, kinds: kinds && [...kinds] });
        onDone();
      } catch (error) {
        toastError(error);
      }
      await refresh(['account']);
      setChosen((current) => (current === shown ? null : current));
    });
  };
  return { query, on, save };
}

function kindsOn(data: ResultOf<typeof MAIL_PREFERENCES> | undefined): AlertKind[] {
  return data?.mailPreferences.kinds.filter(({ on }) => on).map(({ kind }) => kind) ?? [];
}
