import { Link } from '@tanstack/react-router';
import { withoutScheme } from '../../kernel/addresses.ts';
import type { Candidate } from './report.ts';

/** The link of a compared click; its id where it is deleted since, or made up. */
export function ClickedLink({ candidate: { linkId, link } }: { candidate: Candidate }) {
  if (!link) return <code>{linkId}</code>;
  return (
    <Link to="/links/$linkId" params={{ linkId }}>
      {withoutScheme(link.shortUrl)}
    </Link>
  );
}
