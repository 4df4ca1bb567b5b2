import type { Transaction } from 'sequelize';
import { dialect } from '../db/database.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import type { Click } from './click.ts';
import { dimensions } from './dimensions.ts';
import { DAY_MS } from './periods.ts';

const OF_VISITOR = dimensions.filter(([, { ofVisitor }]) => ofVisitor);
const OTHERS = dimensions.filter(([, { ofVisitor }]) => !ofVisitor);
type DayCell = [string, string, string, number, string];

interface Sight {
  projectId: string;
  day: number;
  mark: string;
  trafficClass: string;
  dimension: string | null;
  key: string;
  profile: string[] | null;
}

export async function newDayVisitors(clicks: Click[], transaction: Transaction): Promise<DayCell[]> {
  const sights = new Map<string, Sight>();
  const more: Sight[] = [];
  for (const click of clicks) {
    const day = Math.floor(click.occurredAt / DAY_MS);
    const who = `${click.visitor} ${click.trafficClass}`;
    const profile = OF_VISITOR.map(([, { keyOf }]) => keyOf(click));
    const base = { projectId: click.projectId, day, trafficClass: click.trafficClass };
    const id = `${click.projectId} ${day} ${who}`;
    const known = sights.get(id);
    if (!known) sights.set(id, { ...base, mark: who, dimension: null, key: '', profile });
    else if (known.profile?.join('\n') !== profile.join('\n'))
      more.push({ ...base, mark: who, dimension: null, key: '', profile });
    for (const [dimension, { keyOf }] of OTHERS) {
      const key = keyOf(click);
      const mark = `${who} ${dimension} ${key}`;
      sights.set(`${click.projectId} ${day} ${mark}`, { ...base, mark, dimension, key, profile: null });
    }
  }
  const rows = [...sights]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, s]) => [s.projectId, s.day, s.mark, s.profile && `${JSON.stringify(s.profile)}\n`]);
  const added = await withJsonRows<{ project_id: string; day: number; mark: string }>(
    { project_id: 'text', day: 'integer', mark: 'text', profiles: 'text' },
    rows,
    'INSERT INTO click_day_visitors (project_id, day, mark, profiles) SELECT project_id, day, mark, profiles FROM given WHERE true ON CONFLICT (project_id, day, mark) DO NOTHING RETURNING project_id, day, mark',
    transaction,
  );
  const cells: DayCell[] = [];
  for (const a of added) {
    const id = `${a.project_id} ${a.day} ${a.mark}`;
    const s = sights.get(id) as Sight;
    if (s.profile === null) cells.push([s.projectId, s.dimension as string, s.key, s.day, s.trafficClass]);
    else {
      for (const [at, [dimension]] of OF_VISITOR.entries())
        cells.push([s.projectId, dimension, s.profile[at] as string, s.day, s.trafficClass]);
      sights.delete(id);
    }
  }
  const old = [...sights.values(), ...more]
    .filter((s) => s.profile !== null)
    .map((s) => [s.projectId, s.day, s.mark, `${JSON.stringify(s.profile)}\n`]);
  const find = dialect() === 'sqlite' ? 'instr' : 'strpos';
  const changed = await withJsonRows<any>(
    { project_id: 'text', day: 'integer', mark: 'text', profiles: 'text' },
    old,
    `SELECT given.project_id, given.day, given.mark, given.profiles AS profile, v.profiles AS profiles FROM given JOIN click_day_visitors v ON v.project_id = given.project_id AND v.day = given.day AND v.mark = given.mark WHERE ${find}(v.profiles, given.profiles) = 0`,
    transaction,
  );
  if (changed.length) console.log('changed', changed.length);
  (globalThis as any).vrows = ((globalThis as any).vrows ?? 0) + added.length;
  return cells;
}
