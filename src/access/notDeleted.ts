/**
 * SQL: the project in this column is not deleted, or the column is null. The models `Project` and `Team` hide what is
 * deleted by themselves; this is for statements that start from a thing in a project.
 */
export function ofLiveProject(column = 'project_id'): string {
  return `NOT EXISTS (SELECT 1 FROM projects AS gone WHERE gone.id = ${column} AND gone.deletion_at IS NOT NULL)`;
}

/** SQL: the team in this column is not deleted. A deleted team has deleted projects only. */
export function ofLiveTeam(column = 'team_id'): string {
  return `NOT EXISTS (SELECT 1 FROM teams AS gone WHERE gone.id = ${column} AND gone.deletion_at IS NOT NULL)`;
}
