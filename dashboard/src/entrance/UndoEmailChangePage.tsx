import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { forgetPerson } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { MailedUndo } from './MailedUndo.tsx';

const UNDO_EMAIL_CHANGE = graphql(`
  mutation UndoEmailChange($token: String!) {
    undoEmailChange(token: $token)
  }
`);

/** The link in the mail to the former address. */
export function UndoEmailChangePage() {
  const change = useChange({ document: UNDO_EMAIL_CHANGE, touches: [], onDone: forgetPerson });
  const { undoEmailTitle, undoEmailBody, undoEmail, emailUndone } = t.entrance;
  return <MailedUndo title={undoEmailTitle} body={undoEmailBody} done={emailUndone} verb={undoEmail} change={change} />;
}
