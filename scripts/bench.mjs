import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { installOnDemand } from './onDemand.mjs';

/** `npm run bench -- NAME [options]` runs bench/NAME.ts. */
const files = readdirSync(new URL('../bench', import.meta.url)).filter((file) => file.endsWith('.ts'));
const names = files.map((file) => file.replace(/\.ts$/, ''));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name ?? '')) {
  process.stderr.write(`npm run bench -- NAME, where NAME is one of: ${names.join(', ')}\n`);
  process.exit(2);
}
installOnDemand('bench');
process.exit(spawnSync('tsx', [`bench/${name}.ts`, ...options], { stdio: 'inherit' }).status ?? 1);
