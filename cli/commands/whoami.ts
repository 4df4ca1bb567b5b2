import type { CurrentKey } from '../../sdk/client/index.ts';
import { defineCommand } from '../defineCommand.ts';

export const command = defineCommand({
  async run(context) {
    const answer = await context.request('getCurrentKey');
    if (context.output.isJson) return context.output.answer({ text: answer.text });
    const { name, project, team, scopes, expires_at, write_budget } = answer.json<CurrentKey>();
    context.output.record({
      server: context.url,
      profile: context.profile.key.source === 'environment' ? 'SVC_KEY' : context.profile.name,
      key: name,
      project: `${project.name} (${project.id})`,
      team: team.status === 'active' ? team.name : `${team.name} (read-only: ${team.read_only_reason})`,
      default_domain: project.default_domain,
      expires_at,
      scopes,
      write_budget: `${write_budget.remaining} of ${write_budget.limit} records an hour through /mcp`,
    });
  },
});
