import { Op } from '../db/sequelize.ts';
import { Project } from '../models/Project.ts';
import { Webhook } from '../models/Webhook.ts';

/** Whether a project has an enabled webhook that hears of clicks; asked once for many clicks. */
export async function clickListeners(): Promise<(projectId: string) => boolean> {
  const webhooks = await Webhook.findAll({
    attributes: ['projectId', 'teamId', 'eventTypes'],
    where: { status: 'enabled' },
  });
  const wanting = webhooks.filter(({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes('link.clicked'));
  const teamIds = [...new Set(wanting.filter(({ projectId }) => projectId === null).map(({ teamId }) => teamId))];
  const ofTeams =
    teamIds.length > 0 ? await Project.findAll({ attributes: ['id'], where: { teamId: { [Op.in]: teamIds } } }) : [];
  const projectIds = new Set([...ofTeams.map(({ id }) => id), ...wanting.map(({ projectId }) => projectId)]);
  return (projectId) => projectIds.has(projectId);
}
