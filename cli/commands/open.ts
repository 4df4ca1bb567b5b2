import { defineCommand } from '../defineCommand.ts';
import { findLink } from '../links.ts';
import { openInBrowser } from '../openInBrowser.ts';

/** The pages of the dashboard, by what people call them. */
const PAGES = {
  overview: '/',
  links: '/links',
  analytics: '/analytics',
  webhooks: '/webhooks',
  events: '/webhooks/events',
  domains: '/domains',
  apps: '/apps',
  installs: '/apps/installs',
  imports: '/imports',
  health: '/health',
  alerts: '/alerts',
  keys: '/api',
  settings: '/settings',
  team: '/team',
  account: '/account',
} as const;

export const command = defineCommand({
  args: [['[page]', `a page of the dashboard (${Object.keys(PAGES).join(', ')}) or a link`]],
  options: [['--print', 'print the address and open nothing']],
  async run(context, { args: [page = 'overview'], flags }) {
    const path = PAGES[page as keyof typeof PAGES] ?? `/links/${(await findLink(context, page)).id}`;
    const address = `${context.url}/app${path}`;
    if (context.output.isJson) await context.output.answer({ text: JSON.stringify({ url: address }) });
    else context.output.line(address);
    if (flags.print || !process.stdout.isTTY) return;
    // A page of a stranger could look like the sign-in of this product.
    if (context.profile.isUrlForeign)
      context.output.note(`Not opened: only ${context.profile.projectFile?.file} names this server.`);
    else openInBrowser(address);
  },
});
