import type { CurrentKey, Health } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { EXIT } from '../exitCodes.ts';
import { reportOf } from '../report.ts';
import { serverVersion } from '../serverVersion.ts';
import { VERSION } from '../version.ts';

type Status = 'ok' | 'warn' | 'fail';
type Finding = { status: Status; message: string };

/** A clock that is further off spoils signatures and times of links. */
const CLOCK_SECONDS = 60;

/** What is looked at, in the order of what stands on what. One that fails ends the list. */
const CHECKS: [name: string, check: (context: Context) => Promise<Finding>][] = [
  ['address', checkAddress],
  ['clock', checkClock],
  ['version', checkVersion],
  ['key', checkKey],
  ['team', checkTeam],
  ['health', checkHealth],
  ['link domain', checkDomain],
];

export const command = defineCommand({
  details:
    'Looks at address, clock, version, key, team, health and link domain, and says what to do. The exit code is 1 if something fails.',
  async run(context) {
    const { output } = context;
    const rows: ({ check: string } & Finding)[] = [];
    for (const [check, look] of CHECKS) {
      const finding = await look(context).catch(
        (error): Finding => ({
          status: 'fail',
          message: reportOf(error)
            .lines.join(' ')
            .replace(/^error: /, ''),
        }),
      );
      rows.push({ check, ...finding });
      if (finding.status === 'fail' && (check === 'address' || check === 'key')) break;
    }
    await output.answer({ text: JSON.stringify(rows), rows, columns: ['check', 'status', 'message'] });
    return rows.some(({ status }) => status === 'fail') ? EXIT.failed : EXIT.done;
  },
});

async function checkAddress(context: Context): Promise<Finding> {
  await context.request({ method: 'GET', path: '/healthz' });
  const isOpen = context.url.startsWith('http:') && !/\/\/(127\.|localhost|\[::1\])/.test(context.url);
  return isOpen
    ? {
        status: 'warn',
        message: `${context.url} answers, but without encryption: everyone on the way can read the key.`,
      }
    : { status: 'ok', message: `${context.url} answers.` };
}

async function checkClock(context: Context): Promise<Finding> {
  const { headers } = await context.request({ method: 'GET', path: '/healthz' });
  const seconds = Math.round((Date.now() - Date.parse(headers.get('Date') ?? '')) / 1000);
  if (Number.isNaN(seconds)) return { status: 'warn', message: 'The server does not say its time.' };
  return Math.abs(seconds) > CLOCK_SECONDS
    ? { status: 'warn', message: `The clocks of this machine and of the server are ${Math.abs(seconds)} s apart.` }
    : { status: 'ok', message: 'The clocks agree.' };
}

async function checkVersion(context: Context): Promise<Finding> {
  const server = await serverVersion(context);
  if (server === VERSION) return { status: 'ok', message: `Server and svc are ${VERSION}.` };
  const own = server && ` Its own: npm install -g ${context.url}/downloads/SVC-CLI-${server}.tgz`;
  return { status: 'warn', message: `The server is ${server ?? 'older'}, and this svc is ${VERSION}.${own ?? ''}` };
}

async function checkKey(context: Context): Promise<Finding> {
  const { name, scopes, expires_at, project } = await context.json<CurrentKey>('getCurrentKey');
  const ends = expires_at === null ? 'does not end' : `ends ${expires_at.slice(0, 10)}`;
  return { status: 'ok', message: `"${name}" of ${project.name} ${ends} and has ${scopes.length} scopes.` };
}

async function checkTeam(context: Context): Promise<Finding> {
  const { team } = await context.json<CurrentKey>('getCurrentKey');
  return team.status === 'active'
    ? { status: 'ok', message: `${team.name} is active.` }
    : { status: 'warn', message: `${team.name} is read-only: ${team.read_only_reason}` };
}

async function checkHealth(context: Context): Promise<Finding> {
  const { status, checks } = await context.json<Health>('getHealth');
  const failing = checks.filter((check) => check.status === 'fail');
  if (failing.length > 0) return { status: 'fail', message: failing.map(({ message }) => message).join(' ') };
  return { status: status === 'passing' ? 'ok' : 'warn', message: `The project is ${status}.` };
}

/** The domain of new links must lead to the server. */
async function checkDomain(context: Context): Promise<Finding> {
  const { project } = await context.json<CurrentKey>('getCurrentKey');
  const protocol = new URL(context.url).protocol;
  const found = await fetch(`${protocol}//${project.default_domain}/robots.txt`, {
    redirect: 'manual',
    signal: context.signal,
  }).catch(() => null);
  return found?.headers.has('X-Request-Id')
    ? { status: 'ok', message: `${project.default_domain} leads to the server.` }
    : { status: 'fail', message: `${project.default_domain} does not lead to the server: see svc domains list.` };
}
