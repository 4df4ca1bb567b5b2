import { useParams } from '@tanstack/react-router';
import { useAsk } from '../kernel/queries.ts';
import { useItsPlace } from '../session/useItsPlace.ts';
import { t } from '../texts/index.ts';
import { ManagedBy } from '../ui/ManagedBy.tsx';
import { Page } from '../ui/Page.tsx';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { DeleteDomain } from './DeleteDomain.tsx';
import { Destinations } from './Destinations.tsx';
import { DOMAIN } from './operations.ts';
import { Records } from './Records.tsx';
import { Verified } from './Verified.tsx';

const POLL_MS = 15_000;

/** One domain: its records with what was found, where its visitors go without a link, and its end. */
export function DomainPage() {
  const { domainId = '' } = useParams({ strict: false });
  const { data, error, refetch } = useAsk({
    about: 'domains',
    document: DOMAIN,
    variables: { id: domainId },
    keepsEarlier: false,
    pollMs: (known) => (known?.domain.status === 'verified' ? false : POLL_MS),
  });
  const isInPlace = useItsPlace(data?.domain);
  if (!data || !isInPlace) {
    return (
      <Page title={t.domains.title} back="/domains">
        {error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />}
      </Page>
    );
  }
  const { domain } = data;
  return (
    <Page
      title={domain.unicodeHostname}
      back="/domains"
      about={t.domains.kinds[domain.kind]}
      actions={<StateChip look={LOOKS.domain[domain.status]}>{t.states.domain[domain.status]}</StateChip>}
    >
      <ManagedBy managedBy={domain.managedBy} look="warning" />
      {domain.status === 'verified' ? <Verified domain={domain} /> : null}
      <Records domain={domain} />
      {domain.kind === 'link' ? <Destinations key={domain.id} domain={domain} /> : null}
      <DeleteDomain domain={domain} />
    </Page>
  );
}
