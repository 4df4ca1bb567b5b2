import { variableName } from '../src/kernel/config.ts';
import { SETTINGS } from '../src/kernel/settingsTable.ts';
import { generate } from './generate.ts';

const rows = Object.entries(SETTINGS).map(
  ([name, setting]) => `# ${setting.about}\n#${variableName(name)}=${setting.shown}\n`,
);
const notice =
  '# Every setting with its default. Printed from src/kernel/config.ts by `npm run generate`; do not edit.\n';
await generate('.env.example', [notice, ...rows].join('\n'));
