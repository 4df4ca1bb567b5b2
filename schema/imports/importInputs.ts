import { ArgsType, ID } from 'type-graphql';
import { IMPORT_FORMATS, type ImportFormat } from '../../src/imports/formats.ts';
import type { OnConflict } from '../../src/models/Import.ts';
import type { ImportInput } from '../../src/services/imports/startImport.ts';
import { LinkFilterArgs } from '../links/linkInputs.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { ON_CONFLICT } from '../words.ts';

@ArgsType()
export class StartImportArgs implements ImportInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Where the file comes from; svc is our own export.',
    rule: { enum: IMPORT_FORMATS, default: 'svc' },
  })
  declare format?: ImportFormat;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Says what would become of each row, and writes nothing.',
    rule: { default: false },
  })
  declare dryRun?: boolean;
  @RuleField(() => String, {
    nullable: true,
    description: 'What is done with links that are there already.',
    rule: { enum: ON_CONFLICT, default: 'skip' },
  })
  declare onConflict?: OnConflict;
  @RuleField(() => String, { nullable: true, description: 'The file; over REST it is the body.' })
  declare csv?: string | null;
}

@ArgsType()
export class ImportsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@ArgsType()
export class ReportArgs {
  @RuleField(() => ID) declare id: string;
  @RuleField(() => String, { nullable: true }) declare cursor?: string | null;
}

@ArgsType()
export class ExportArgs extends LinkFilterArgs {
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Cells that a spreadsheet program would take for formulas get a single quote in front.',
  })
  declare spreadsheet?: boolean;
}
