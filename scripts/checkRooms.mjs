import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * Refuses circles between rooms: the folders right below src/, each with everything in it, and app/, schema/, facade/, jobs/,
 * mcp/ and cli/.
 * Types count as values do. The rule of dependency-cruiser for folders takes a folder within a folder for another one, so a
 * circle through it passes there; circles of folders within a room are left to that rule.
 *   node scripts/checkRooms.mjs --print      the order of the rooms, those first that import no other
 */
const roomOf = (file) =>
  file
    .split('/', 2)
    .join('/')
    .replace(/\/[^/]*\.ts$/, '');
const imports = new Map();
for (const file of globSync('{app,src,schema,facade,jobs,mcp,cli}/**/*.ts')) {
  const room = roomOf(file).replace(/^(app|schema|facade|jobs|mcp|cli)\/.*/, '$1');
  for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
    if (!fileName.startsWith('.')) continue;
    const imported = path.join(path.dirname(file), fileName);
    const to = roomOf(imported).replace(/^(app|schema|facade|jobs|mcp|cli)\/.*/, '$1');
    const known = imports.get(room) ?? new Map();
    if (to !== room && !known.has(to)) known.set(to, `${file} → ${imported}`);
    imports.set(room, known);
  }
}

const ordered = [];
const open = [];
const visit = (room) => {
  if (ordered.includes(room)) return;
  if (open.includes(room)) refuse([...open.slice(open.indexOf(room)), room]);
  open.push(room);
  for (const to of [...(imports.get(room)?.keys() ?? [])].sort()) visit(to);
  open.pop();
  ordered.push(room);
};

function refuse(circle) {
  const steps = circle.slice(1).map((to, at) => `  ${imports.get(circle[at]).get(to)}`);
  process.stderr.write(`Rooms import each other in a circle: ${circle.join(' → ')}\n${steps.join('\n')}\n`);
  process.exit(1);
}

for (const room of [...imports.keys()].sort()) visit(room);
const arrows = [...imports.values()].reduce((sum, { size }) => sum + size, 0);
process.stdout.write(`✔ ${ordered.length} rooms, ${arrows} arrows between them, no circle\n`);
if (process.argv.includes('--print')) process.stdout.write(`${ordered.join('\n')}\n`);
