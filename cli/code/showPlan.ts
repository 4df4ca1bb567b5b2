import type { Plan } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';

export type Format = 'text' | 'markdown';

/** What programs are told of a plan. What is sent stays out: it is in the files. */
export function planJson(plan: Plan) {
  const { actions, ...rest } = plan;
  const shown = actions.map(({ verb, kind, name, id, updatedAt, title, changes, note, file, line }) => ({
    ...{ verb, kind, name, id, updated_at: updatedAt, title, changes, note, file, line },
  }));
  return { ...rest, actions: shown };
}

interface Shown {
  format?: Format | undefined;
  withTimes?: boolean | undefined;
}

/** Prints a plan as the flags say. */
export async function showPlan(context: Context, plan: Plan, { format, withTimes = false }: Shown): Promise<void> {
  const { output } = context;
  if (output.isJson) {
    await output.answer({ text: JSON.stringify(planJson(plan)) });
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
