import { cutChanges } from '../../audit/auditedChanges.ts';
import type { NewAuditEntry } from '../../audit/recordAudit.ts';
import type { LinkChanges } from '../../events/linkChanges.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { aboutLink } from './aboutLink.ts';

/** What moves with the archive. */
const OF_ARCHIVE = new Set(['archived_at', 'status']);

/** What is noted of the change of a link. Of a password no more than that there is another one. */
export function noteOfChange(
  link: Link,
  project: Project,
  { changes, isPasswordNew }: { changes: LinkChanges; isPasswordNew: boolean },
): NewAuditEntry {
  const about = aboutLink(link, project);
  const isArchive =
    !isPasswordNew && 'archived_at' in changes && Object.keys(changes).every((at) => OF_ARCHIVE.has(at));
  if (isArchive) return { ...about, action: link.archivedAt === null ? 'link.unarchived' : 'link.archived' };
  const details = { changes: cutChanges(changes), ...(isPasswordNew ? { password_set: true } : {}) };
  return { ...about, action: 'link.updated', details };
}
