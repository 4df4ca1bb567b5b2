import type { Schema } from './checkSchema.ts';
import json from './code.schema.json' with { type: 'json' };

/** The schema of the files as the server of this version serves it. */
export const CODE_SCHEMA: Schema = json as unknown as Schema;
