import type { ColumnPlan } from '../../imports/planColumns.ts';
import type { Import } from '../../models/Import.ts';
import type { Project } from '../../models/Project.ts';

/** What a process knows of an import while it runs it. */
export interface ImportRun {
  claimed: Import;
  project: Project;
  plan: ColumnPlan;
  /** Names of the links that a dry run would have made. */
  foreseen: Set<string>;
}

/** What stopped an import before the end of its file; null: nothing. */
export type Halt = 'stopping' | 'read_only' | 'lost' | null;
