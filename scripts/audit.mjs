import { spawnSync } from 'node:child_process';
import { ON_DEMAND } from './onDemand.mjs';

/**
 * Known advisories against what the product runs on, and against packages on demand. Fails on those of high or critical severity in
 * what reaches users, which GraphiQL does and tools for development do not; where the registry answers no such question (mirrors
 * often do not), it says so and passes.
 */
const REACH_USERS = ['.', 'scripts/graphiql'];

const isSevere = ['.', ...ON_DEMAND].map(audit);
process.exit(isSevere.includes(true) ? 1 : 0);

/** Prints the advisories of a folder, and gives whether they stop a release. */
function audit(folder) {
  const command = `npm audit --omit=dev --json --package-lock-only --prefix ${folder}`;
  const { stdout } = spawnSync(command, { encoding: 'utf8', shell: true });
  const name = folder === '.' ? 'the product' : `${folder}/`;
  const counts = parse(stdout)?.metadata?.vulnerabilities;
  if (!counts) {
    process.stdout.write(`Advisories of ${name} were not checked: the registry does not answer npm audit.\n`);
    return false;
  }
  const { critical, high, moderate, low } = counts;
  process.stdout.write(
    `Advisories of ${name}: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low. ` +
      `${high + critical > 0 ? `See npm audit --omit=dev --prefix ${folder}.` : ''}\n`,
  );
  return high + critical > 0 && REACH_USERS.includes(folder);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
