import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Card } from '../ui/Page.tsx';
import { toast } from '../ui/toasts.ts';
import { draftOfDestinations } from './Destinations.tsx';
import type { OneDomain } from './operations.ts';

const DELETE_DOMAIN = graphql(`
  mutation DeleteDomain($id: ID!) {
    deleteDomain(id: $id)
  }
`);

/** Ends a domain on which no links are. */
export function DeleteDomain({ domain }: { domain: OneDomain }) {
  const navigate = useNavigate();
  const { remove } = t.domains;
  const [isOpen, setIsOpen] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const change = useChange({
    document: DELETE_DOMAIN,
    touches: ['domains', 'session'],
    onDone: () => {
      toast(remove.done);
      draftOfDestinations(domain.id).write(null);
      return navigate({ to: '/domains', replace: true, ignoreBlocker: true });
    },
  });
  return (
    <Card title={remove.title}>
      {domain.linkCount > 0 ? (
        <p>
          {remove.links(formatExact(domain.linkCount), domain.linkCount)}{' '}
          <Link to="/links" search={{ domain: domain.hostname }}>
            {remove.show}
          </Link>
        </p>
      ) : (
        <>
          {domain.kind === 'link' ? <p>{remove.none}</p> : null}
          <GuardedButton scope="domains:write" color="red" variant="light" onClick={() => setIsOpen(true)}>
            {remove.action}
          </GuardedButton>
        </>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        title={remove.confirmTitle(domain.unicodeHostname)}
        verb={remove.action}
        isPending={change.isPending}
        problem={problem}
        onClose={() => {
          setProblem(null);
          setIsOpen(false);
        }}
        onConfirm={() => {
          setProblem(null);
          change.mutate({ id: domain.id }, { onError: (error) => setProblem(error.message) });
        }}
      >
        {domain.kind === 'link' ? remove.confirmBody : remove.confirmBodyWeb}
      </ConfirmDialog>
    </Card>
  );
}
