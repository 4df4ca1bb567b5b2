import { raiseAlert, resolveAlert } from '../alerts/raiseAlert.ts';
import type { Transaction } from '../db/sequelize.ts';
import { linksByIds } from '../links/linkStore.ts';
import { Alert } from '../models/Alert.ts';
import { Link } from '../models/Link.ts';
import { Project } from '../models/Project.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import { anomalyAlert, isoOf } from './anomalyAlert.ts';
import type { Assessment } from './decide/assess.ts';
import type { LargestPart } from './decide/largestPart.ts';
import { explain } from './explain.ts';
import type { StoredIncident } from './incidentStore.ts';
import type { Subject } from './Subject.ts';

/** An incident that began or ended. */
export interface IncidentChange {
  incident: StoredIncident;
  /** Null if it ended. */
  began: { subject: Subject; assessment: Assessment } | null;
}

/** The input of `raiseAlert`, for the transaction to come. */
export type PreparedAlert = Parameters<typeof raiseAlert>[1];

/**
 * Prepares one alert for what is one incident. When a project has an incident, there are none for its links; and when a link that
 * explains the project's incident has an alert already, there is none for the project. Marks the incidents as notified.
 */
export async function prepareAlerts(
  projectId: string,
  changes: readonly IncidentChange[],
  incidents: readonly StoredIncident[],
): Promise<Map<StoredIncident, PreparedAlert>> {
  const alerts = new Map<StoredIncident, PreparedAlert>();
  const began = changes.filter((change) => change.began !== null);
  const project = began.length > 0 ? await Project.findByPk(projectId) : null;
  if (!project) return alerts;
  const isOfLink = ({ incident }: IncidentChange) => incident.subjectId !== projectId;
  // The project before its links.
  for (const change of began.sort((a, b) => Number(isOfLink(a)) - Number(isOfLink(b)))) {
    const { incident } = change;
    const alike = incidents.filter((other) => other.direction === incident.direction && overlap(other, incident));
    if (isOfLink(change) && alike.some(({ subjectId }) => subjectId === projectId)) continue;
    if (isOfLink(change) && !(await isNews(projectId, incident))) continue;
    const explanation = await explained(projectId, change, incidents);
    const link = explanation?.dimension === 'link' ? explanation.key : null;
    if (link !== null && alike.some(({ subjectId, isNotified }) => isNotified && subjectId === link)) continue;
    incident.isNotified = true;
    alerts.set(incident, await alertOf(project, change, explanation));
  }
  return alerts;
}

/** A drop is no news for a link that was archived, flagged, deleted or has ended. */
async function isNews(projectId: string, { subjectId, direction }: StoredIncident): Promise<boolean> {
  const link = await Link.findOne({ where: { projectId, id: subjectId } });
  return link !== null && (direction !== 'drop' || link.status === 'active');
}

/** Whether two incidents have an hour in common. */
function overlap(one: StoredIncident, other: StoredIncident): boolean {
  const until = ({ untilHour }: StoredIncident) => untilHour ?? Number.POSITIVE_INFINITY;
  return one !== other && one.fromHour < until(other) && other.fromHour < until(one);
}

function explained(
  projectId: string,
  { began, incident }: IncidentChange,
  incidents: readonly StoredIncident[],
): Promise<LargestPart | null> {
  const { subject, assessment } = began as NonNullable<typeof began>;
  const { hour, expected } = assessment;
  const past = incidents.filter(({ subjectId, isUsualNow }) => subjectId === subject.id && !isUsualNow);
  return explain({
    projectId,
    linkId: subject.linkId,
    direction: incident.direction,
    fromHour: hour,
    hour,
    expected,
    isUsual: (at) => past.every((other) => at < other.fromHour || at >= (other.untilHour ?? Number.POSITIVE_INFINITY)),
  });
}

async function alertOf(
  project: Project,
  { began, incident }: IncidentChange,
  explanation: LargestPart | null,
): Promise<PreparedAlert> {
  const { subject, assessment } = began as NonNullable<typeof began>;
  const named = explanation?.dimension === 'link' ? explanation.key : null;
  const ids = [subject.linkId, named].filter((id) => id !== null);
  const links = await linksByIds(project, ids);
  const { linkId } = subject;
  const tags = linkId === null ? [] : ((await tagsOfLinks([linkId])).get(linkId) ?? []);
  return {
    teamId: project.teamId,
    projectId: project.id,
    kind: 'traffic_anomaly',
    linkId,
    tagIds: tags.map(({ id }) => id),
    incident: nameOf(incident),
    ...anomalyAlert({
      project,
      link: linkId === null ? null : (links.get(linkId) ?? null),
      incident,
      assessment,
      explanation,
      explainedBy: (named && links.get(named)) || null,
    }),
  };
}

/** The name that identifies an incident's alert until it is resolved. */
function nameOf({ subjectId, direction }: StoredIncident): string {
  return `traffic_anomaly:${subjectId}:${direction}`;
}

/** Raises and resolves alerts in the order of the changes: an incident may follow one of the same kind. */
export async function writeAlerts(
  changes: readonly IncidentChange[],
  alerts: ReadonlyMap<StoredIncident, PreparedAlert>,
  transaction: Transaction,
): Promise<void> {
  for (const { incident, began } of changes) {
    const alert = began && alerts.get(incident);
    if (alert) await raiseAlert(transaction, alert);
    if (!began && incident.isNotified) await resolve(incident, transaction);
  }
}

async function resolve(incident: StoredIncident, transaction: Transaction): Promise<void> {
  const name = nameOf(incident);
  const alert = await Alert.findOne({ where: { incident: name, resolvedAt: null }, transaction });
  if (!alert) return;
  const details = { ...alert.details, ended_at: isoOf(incident.untilHour as number) };
  await Alert.update({ details }, { where: { id: alert.id }, transaction });
  await resolveAlert(transaction, name);
}
