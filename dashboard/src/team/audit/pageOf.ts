import type { AuditEntry } from './operations.ts';

interface SubjectPage {
  to: string;
  params?: Record<string, string>;
  search?: Record<string, string | undefined>;
}

interface Subject {
  id: string;
  /** The team of the log. */
  team: string;
  /** Puts the project into the address; empty for what belongs to the whole team. */
  project: { project?: string };
}

/** The page of a subject by the prefix of its id; what has none is missing. */
const PAGES: Record<string, (subject: Subject) => SubjectPage | null> = {
  lnk: ({ id, project }) => ({ to: '/links/$linkId', params: { linkId: id }, search: project }),
  bat: ({ id, project }) => ({ to: '/links', search: { ...project, batch_id: id } }),
  tag: ({ project }) => ({ to: '/settings', search: { ...project, tab: 'tags' } }),
  key: ({ project }) => ({ to: '/api', search: project }),
  whk: ({ id, project }) => ({ to: '/webhooks/$webhookId', params: { webhookId: id }, search: project }),
  imp: ({ id, project }) => ({ to: '/imports/$importId', params: { importId: id }, search: project }),
  dom: ({ id, project }) => ({ to: '/domains/$domainId', params: { domainId: id }, search: project }),
  ins: ({ id, project }) => ({ to: '/apps/installs/$installId', params: { installId: id }, search: project }),
  alt: ({ id, project }) => ({ to: '/alerts/$alertId', params: { alertId: id }, search: project }),
  prj: ({ id }) => ({ to: '/settings', search: { project: id } }),
  inv: ({ team }) => ({ to: '/team', search: { team } }),
  usr: ({ team }) => ({ to: '/team', search: { team } }),
  team: ({ team }) => ({ to: '/team', search: { team, tab: 'settings' } }),
};

/** What is gone has no page, except a link, whose page tells what remains of it. */
const GONE = /^(tag|webhook|domain|install|project)\.(deleted|purged)$/;

/** Where the subject of an entry is shown; null: nowhere. */
export function pageOf({ action, subjectId, projectId }: AuditEntry, team: string): SubjectPage | null {
  if (subjectId === null || GONE.test(action)) return null;
  const subject = { id: subjectId, team, project: projectId ? { project: projectId } : {} };
  return PAGES[subjectId.split('_')[0] as string]?.(subject) ?? null;
}
