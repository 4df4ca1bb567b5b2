import { once } from 'node:events';
import type { Plan } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';

export type Format = 'text' | 'markdown';

/** What programs are told of a plan. What is sent stays out: it is in the files. */
export function planJson({ actions, ...rest }: Plan) {
  return { ...rest, actions: actions.map(actionJson) };
}

function actionJson({ verb, kind, name, id, updatedAt, title, changes, note, file, line }: Plan['actions'][number]) {
  return { verb, kind, name, id, updated_at: updatedAt, title, changes, note, file, line };
}

/** As many actions are made to JSON at a time: that of a large plan is some 60 MB. */
const ACTIONS_AT_ONCE = 1000;

async function showJson({ flags, output }: Context, plan: Plan): Promise<void> {
  if (flags.jq !== undefined || flags.fields) {
    await output.answer({ text: JSON.stringify(planJson(plan)) });
    return;
  }
  const { actions, ...rest } = plan;
  await write(`${JSON.stringify(rest).slice(0, -1)},"actions":[`);
  for (let at = 0; at < actions.length; at += ACTIONS_AT_ONCE) {
    const part = JSON.stringify(actions.slice(at, at + ACTIONS_AT_ONCE).map(actionJson)).slice(1, -1);
    await write(at === 0 ? part : `,${part}`);
  }
  await write(']}\n');
}

/** Waits for a reader that is slower. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

interface Shown {
  format?: Format | undefined;
  withTimes?: boolean | undefined;
}

/** Prints a plan as the flags say. */
export async function showPlan(context: Context, plan: Plan, { format, withTimes = false }: Shown): Promise<void> {
  const { output } = context;
  if (output.isJson) {
    await showJson(context, plan);
    return;
  }
  const { renderMarkdown, renderText } = await import('../../sdk/code/index.ts');
  const server = new URL(context.url).host;
  if (format === 'markdown') output.line(renderMarkdown(plan, { server, withTimes }));
  else output.line(renderText(plan, { server, withTimes, paint: painter(context) }));
}

/** The colors of what a plan does, as other tools have them. */
function painter({ output: { colors } }: Context) {
  const of = {
    ...{ create: colors.green, change: colors.yellow, move: colors.cyan, adopt: colors.cyan },
    ...{ archive: colors.red, delete: colors.red, release: colors.red, conflict: colors.magenta },
  };
  return (verb: keyof typeof of, text: string) => of[verb](text);
}
