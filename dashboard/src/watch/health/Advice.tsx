import { Link } from '@tanstack/react-router';
import { adviceOf } from './checks.ts';

/** What to do about a check that does not pass, with the page where it is done. */
export function Advice({ name, projectId }: { name: string; projectId?: string | null }) {
  const known = adviceOf(name);
  if (!known) return null;
  const { advice, action, to, search } = known;
  return (
    <>
      {advice}{' '}
      <Link to={to} search={{ ...search, ...(projectId ? { project: projectId } : {}) } as never}>
        {action}
      </Link>
    </>
  );
}
