import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { forgetPerson } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { MailedUndo } from './MailedUndo.tsx';

const UNDO_SECOND_FACTOR = graphql(`
  mutation UndoSecondFactor($token: String!) {
    undoSecondFactor(token: $token)
  }
`);

/** The link in the mail about a second factor that was switched on. */
export function UndoSecondFactorPage() {
  const change = useChange({ document: UNDO_SECOND_FACTOR, touches: [], onDone: forgetPerson });
  const { undoFactorTitle, undoFactorBody, undoFactor, factorUndone } = t.entrance;
  return (
    <MailedUndo title={undoFactorTitle} body={undoFactorBody} done={factorUndone} verb={undoFactor} change={change} />
  );
}
