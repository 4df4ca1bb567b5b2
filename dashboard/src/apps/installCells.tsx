import { Link } from '@tanstack/react-router';
import { withoutScheme } from '../kernel/addresses.ts';
import { t } from '../texts/index.ts';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';

interface MatchChipProps {
  match: { matched: boolean; guaranteed: boolean; confidence: number };
}

/** How sure it is that an install came from its link. */
export function MatchChip({ match: { matched, guaranteed, confidence } }: MatchChipProps) {
  if (!matched) return <StateChip look={LOOKS.match.none}>{t.states.match.none}</StateChip>;
  if (guaranteed) return <StateChip look={LOOKS.match.certain}>{t.states.match.certain}</StateChip>;
  return <StateChip look={LOOKS.match.likely}>{t.apps.likely(confidence)}</StateChip>;
}

interface InstallLinkProps {
  install: { linkId: string | null; link: { id: string; shortUrl: string } | null };
}

/** The link that led to an install; it may be deleted since, and its page says so. */
export function InstallLink({ install: { linkId, link } }: InstallLinkProps) {
  if (linkId === null) return t.common.none;
  return (
    <Link to="/links/$linkId" params={{ linkId }}>
      {link ? withoutScheme(link.shortUrl) : t.apps.installs.deletedLink}
    </Link>
  );
}

/** As much of a UUID as tells installs apart, for lists and titles. */
export function shownId(uuid: string): string {
  return uuid.slice(0, 8);
}
